// Accepts one number from 1 to 1000, or to the argument.
#include <cstdlib>
#include <iostream>

int main(int argc, char **argv) {
    long long n, most = argc > 1 ? std::atoll(argv[1]) : 1000;
    return std::cin >> n && 1 <= n && n <= most ? 0 : 1;
}
