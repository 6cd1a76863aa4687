// What an input must look like, to the byte. Exit code 42: valid; 43: not.
//
// The input is what the judge knows: n and the number. The solution sees none of it.
// The bounds are the constants of problem.yaml.
#define FAIL_EXIT_CODE 43
#include "testlib.h"

int main() {
    registerValidation();
    int n = inf.readInt(1, {{n_max}}, "n");
    inf.readSpace();
    inf.readInt(1, n, "number");
    inf.readEoln();
    inf.readEof();
    return 42;
}
