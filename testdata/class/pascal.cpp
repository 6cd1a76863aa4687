// Remembers nothing between the turns of p_k but tries every h: right and slow when m is large.
#include <climits>
#include <iostream>
#include <vector>
using namespace std;

int main() {
    int t;
    cin >> t;
    while (t--) {
        int n, m, k;
        cin >> n >> m >> k;
        vector<int> x(n);
        for (auto &c : x) cin >> c;
        vector<vector<int>> dp(n + 1, vector<int>(n + 1, 0));
        auto others = [&](int i, int j, int r) {
            int res = INT_MAX;
            for (int h = 0; h <= r; h++) res = min(res, j - i <= r ? 0 : dp[i + h][j - r + h]);
            return res;
        };
        for (int d = 1; d <= n; d++)
            for (int i = 0; i + d <= n; i++)
                dp[i][i + d] = max(x[i] + others(i + 1, i + d, m - 1), x[i + d - 1] + others(i, i + d - 1, m - 1));
        cout << others(0, n, k) << "\n";
    }
}
