#include <iostream>

int main() {
    long long n, x, sum = 1;
    for (std::cin >> n; n-- > 0 && std::cin >> x;) sum += x;
    std::cout << sum << '\n';
}
