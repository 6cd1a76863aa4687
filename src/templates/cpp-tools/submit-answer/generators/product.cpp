// Makes an input: product a b.
#include <cstdlib>
#include <iostream>

int main(int argc, char** argv) {
    if (argc != 3) return 1;
    std::cout << std::atoll(argv[1]) * std::atoll(argv[2]) << '\n';
}
