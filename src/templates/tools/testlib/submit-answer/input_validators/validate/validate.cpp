// What an input must look like, to the byte. Exit code 42: valid; 43: not.
//
// Change what main() reads to what your statement says. The bounds are the constants of problem.yaml.
#define FAIL_EXIT_CODE 43
#include "testlib.h"

int main() {
    registerValidation();
    long long n = inf.readLong(4LL, {{n_max}}LL, "n");
    inf.readEoln();
    inf.readEof();
    long long factor = 2;
    while (n % factor != 0 && factor * factor <= n) factor++;
    if (n % factor != 0) quitf(_fail, "n is prime");
    return 42;
}
