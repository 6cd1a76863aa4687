// Makes an input: product a b.
#include "testlib.h"

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    registerGen(argc, argv, 1);
    if (argc != 3) quitf(_fail, "call: product a b");
    std::printf("%lld\n", std::atoll(argv[1]) * std::atoll(argv[2]));
    return 0;
}
