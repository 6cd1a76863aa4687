// Makes an input: number greatest seed.
//
// The same arguments must always give the same bytes: draw only from `rnd`. It is seeded with all of the
// arguments, the seed among them.
#include "testlib.h"

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    registerGen(argc, argv, 1);
    if (argc != 3) quitf(_fail, "call: number greatest seed");
    std::printf("encode\n%d\n", rnd.next(1, std::atoi(argv[1])));
    return 0;
}
