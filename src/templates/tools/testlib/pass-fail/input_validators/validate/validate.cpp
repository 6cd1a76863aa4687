// What an input must look like, to the byte. Exit code 42: valid; 43: not.
//
// Change what main() reads to what your statement says. The bounds are the constants of problem.yaml.
// A group may give tighter ones as arguments (`input_validator_args` in generators.yaml): a case in
// the wrong group is found.
#define FAIL_EXIT_CODE 43
#include "testlib.h"

#include <cstdlib>
#include <cstring>

int main(int argc, char** argv) {
    registerValidation();
    int n_max = {{n_max}};
    for (int i = 1; i < argc; i++) {
        if (!std::strncmp(argv[i], "--max-n=", 8)) n_max = std::atoi(argv[i] + 8);
    }
    int n = inf.readInt(1, n_max, "n");
    inf.readEoln();
    for (int i = 1; i <= n; i++) {
        inf.readInt(-{{value_max}}, {{value_max}}, "x");
        if (i < n) inf.readSpace();
    }
    inf.readEoln();
    inf.readEof();
    return 42;
}
