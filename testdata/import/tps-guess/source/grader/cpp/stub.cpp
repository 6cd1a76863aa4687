#include "guess.h"
#include <cstdio>

int ask(int number) {
    int reply = 0;
    std::printf("%d\n", number);
    std::fflush(stdout);
    return std::scanf("%d", &reply) == 1 ? reply : 0;
}

int main() { guess(); }
