// Pebbles: the sum of each line, in a type that is too small for the second group.
#include <iostream>

int main() {
    int beaches;
    std::cin >> beaches;
    while (beaches--) {
        int n;
        unsigned sum = 0, more;
        for (std::cin >> n; n-- && std::cin >> more;) sum += more;
        std::cout << sum << "\n";
    }
}
