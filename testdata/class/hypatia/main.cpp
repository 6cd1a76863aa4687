#include "game.h"

#include <iostream>

int main() {
    int t;
    std::cin >> t;
    for (int i = 0; i < t; i++) {
        int n, m, k;
        std::cin >> n >> m >> k;
        std::vector<int> coins(n);
        for (int& c : coins) std::cin >> c;
        std::cout << guaranteed(coins, m, k) << "\n";
    }
}
