#include <iostream>
int main() {
    long long a, b;
    std::cin >> a >> b;
    std::cout << static_cast<short>(a + b) << "\n";
}
