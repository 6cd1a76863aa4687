#include <iostream>
#include <cstdlib>
int main() {
    long long a, b;
    std::cin >> a >> b;
    std::cout << std::llabs(a) + std::llabs(b) << "\n";
}
