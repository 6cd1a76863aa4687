#include <iostream>
int main() {
    long long a, b;
    std::cin >> a >> b;
    if (a < 0 || b > 1000) return 1;
    std::cout << a + b << "\n";
}
