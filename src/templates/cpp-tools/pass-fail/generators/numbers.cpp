// Makes an input: numbers n least greatest seed.
//
// The same arguments must always give the same bytes: draw only from the seed, and only by
// std::mt19937_64, whose numbers the standard fixes; those of its distributions differ by compiler.
#include <cstdlib>
#include <iostream>
#include <random>

int main(int argc, char** argv) {
    if (argc != 5) return 1;
    long long n = std::atoll(argv[1]), least = std::atoll(argv[2]), greatest = std::atoll(argv[3]);
    std::mt19937_64 draw(std::strtoull(argv[4], nullptr, 10));
    std::cout << n << '\n';
    for (long long i = 1; i <= n; i++) {
        long long x = least + static_cast<long long>(draw() % (greatest - least + 1));
        std::cout << x << (i < n ? ' ' : '\n');
    }
}
