// Makes an input: numbers n least greatest seed.
//
// The same arguments must always give the same bytes: draw only from `rnd`. It is seeded with all of the
// arguments, the seed among them.
#include "testlib.h"

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    registerGen(argc, argv, 1);
    if (argc != 5) quitf(_fail, "call: numbers n least greatest seed");
    int n = std::atoi(argv[1]), least = std::atoi(argv[2]), greatest = std::atoi(argv[3]);
    std::printf("%d\n", n);
    for (int i = 1; i <= n; i++) std::printf("%d%c", rnd.next(least, greatest), i < n ? ' ' : '\n');
    return 0;
}
