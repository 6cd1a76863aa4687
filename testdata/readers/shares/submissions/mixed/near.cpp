#include <iostream>
int main() {
    long long a, b;
    std::cin >> a >> b;
    std::cout << (a < 0 ? a + b + 1 : a + b) << "\n";
}
