// One move at a time, all intervals of one length in one row of the table: O(n^2) time, O(n) memory.
#include <algorithm>
#include <iostream>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int t;
    std::cin >> t;
    while (t--) {
        int n, m, k;
        std::cin >> n >> m >> k;
        std::vector<int> x(n), w(n + 1, 0);
        for (int &v : x) std::cin >> v;
        for (int length = 1; length <= n; length++) {
            bool mine = (n - length) % m == k;
            for (int i = 0; i + length <= n; i++)
                w[i] = mine ? std::max(x[i] + w[i + 1], x[i + length - 1] + w[i]) : std::min(w[i], w[i + 1]);
        }
        std::cout << w[0] << '\n';
    }
}
