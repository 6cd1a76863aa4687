// The recursion of the m-player game with a table, as a contestant writes it.
// Reads n, m, k, a number of runs and the coins; prints the value and the median processor time in nanoseconds.
#include <algorithm>
#include <climits>
#include <cstdio>
#include <ctime>
#include <vector>

static int players;
static std::vector<int> coin;
static std::vector<std::vector<int>> known;

static int winnings(int i, int j) {
    if (j <= i) return 0;
    int &value = known[i][j];
    if (value != -1) return value;
    int left = INT_MAX, right = INT_MAX;
    for (int h = 0; h < players; ++h) {
        left = std::min(left, winnings(i + h + 1, j - (players - h - 1)));
        right = std::min(right, winnings(i + h, j - (players - h)));
    }
    return value = std::max(coin[i] + left, coin[j - 1] + right);
}

int main() {
    int n, k, runs;
    if (std::scanf("%d %d %d %d", &n, &players, &k, &runs) != 4) return 1;
    coin.resize(n);
    for (int &value : coin)
        if (std::scanf("%d", &value) != 1) return 1;
    std::vector<long long> times;
    int value = 0;
    for (int run = 0; run < runs; ++run) {
        std::clock_t start = std::clock();
        known.assign(n + 1, std::vector<int>(n + 1, -1));
        value = INT_MAX;
        for (int h = 0; h <= k; ++h) value = std::min(value, winnings(h, n - (k - h)));
        times.push_back((std::clock() - start) * (1000000000LL / CLOCKS_PER_SEC));
    }
    std::sort(times.begin(), times.end());
    std::printf("%d %lld\n", value, times[times.size() / 2]);
}
