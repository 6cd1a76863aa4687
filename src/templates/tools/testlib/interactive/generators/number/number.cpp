// Makes an input: number n seed.
//
// The same arguments must always give the same bytes: draw only from `rnd`. It is seeded with all of the
// arguments, the seed among them.
#include "testlib.h"

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    registerGen(argc, argv, 1);
    if (argc != 3) quitf(_fail, "call: number n seed");
    int n = std::atoi(argv[1]);
    std::printf("%d %d\n", n, rnd.next(1, n));
    return 0;
}
