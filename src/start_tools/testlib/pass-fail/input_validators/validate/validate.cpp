// What an input must look like, to the byte. Exit code 42: valid; 43: not.
//
// Change what main() reads, and its bounds, to what your statement says. A group may give tighter
// bounds as arguments (`input_validator_args` in generators.yaml): a case in the wrong group is found.
#define FAIL_EXIT_CODE 43
#include "testlib.h"

#include <cstdlib>
#include <cstring>

int main(int argc, char** argv) {
    registerValidation();
    int most = 1000;
    for (int i = 1; i < argc; i++) {
        if (!std::strncmp(argv[i], "--max-n=", 8)) most = std::atoi(argv[i] + 8);
    }
    int n = inf.readInt(1, most, "n");
    inf.readEoln();
    for (int i = 1; i <= n; i++) {
        inf.readInt(-1000, 1000, "x");
        if (i < n) inf.readSpace();
    }
    inf.readEoln();
    inf.readEof();
    return 42;
}
