#include "game.h"

#include <algorithm>

int guaranteed(const std::vector<int>& coins, int players, int me) {
    const int n = coins.size();
    std::vector<int> value(n + 1, 0);
    for (int left = 1; left <= n; left++) {
        for (int i = 0; i + left <= n; i++) {
            if ((n - left) % players == me)
                value[i] = std::max(coins[i] + value[i + 1], coins[i + left - 1] + value[i]);
            else
                value[i] = std::min(value[i], value[i + 1]);
        }
    }
    return value[0];
}
