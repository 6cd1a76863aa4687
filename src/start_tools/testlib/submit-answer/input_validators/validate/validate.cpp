// What an input must look like, to the byte. Exit code 42: valid; 43: not.
//
// Change what main() reads, and its bounds, to what your statement says.
#define FAIL_EXIT_CODE 43
#include "testlib.h"

int main() {
    registerValidation();
    long long n = inf.readLong(4LL, 1000000000000LL, "n");
    inf.readEoln();
    inf.readEof();
    long long factor = 2;
    while (n % factor != 0 && factor * factor <= n) factor++;
    if (n % factor != 0) quitf(_fail, "n is prime");
    return 42;
}
