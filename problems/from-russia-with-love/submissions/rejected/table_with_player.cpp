// The state carries the player on move as a third index: right, but the table is m times too large.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

int solve(const vector<int> &x, int n, int m, int k) {
    vector<vector<int>> w(n + 1, vector<int>((n + 1) * m, 0));
    for (int length = 1; length <= n; length++)
        for (int i = 0; i + length <= n; i++)
            for (int p = 0; p < m; p++) {
                int j = i + length, q = (p + 1) % m;
                w[i][j * m + p] = p == k ? max(x[i] + w[i + 1][j * m + q], x[j - 1] + w[i][(j - 1) * m + q])
                                    : min(w[i + 1][j * m + q], w[i][(j - 1) * m + q]);
            }
    return w[0][n * m];
}

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int t;
    cin >> t;
    while (t--) {
        int n, m, k;
        cin >> n >> m >> k;
        vector<int> x(n);
        for (int &v : x) cin >> v;
        cout << solve(x, n, m, k) << '\n';
    }
}
