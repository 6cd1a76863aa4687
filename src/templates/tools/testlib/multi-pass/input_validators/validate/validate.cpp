// What an input must look like, to the byte. Exit code 42: valid; 43: not.
//
// It is the input of the first run; the judge makes that of the second.
// The bounds are the constants of problem.yaml.
#define FAIL_EXIT_CODE 43
#include "testlib.h"

int main() {
    registerValidation();
    inf.readToken("encode", "first line");
    inf.readEoln();
    inf.readInt(1, {{n_max}}, "n");
    inf.readEoln();
    inf.readEof();
    return 42;
}
