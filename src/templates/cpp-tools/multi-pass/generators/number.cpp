// Makes an input: number greatest seed.
//
// The same arguments must always give the same bytes: draw only from the seed, and only by
// std::mt19937_64, whose numbers the standard fixes; those of its distributions differ by compiler.
#include <cstdlib>
#include <iostream>
#include <random>

int main(int argc, char** argv) {
    if (argc != 3) return 1;
    std::mt19937_64 draw(std::strtoull(argv[2], nullptr, 10));
    std::cout << "encode\n" << 1 + draw() % std::atoll(argv[1]) << '\n';
}
