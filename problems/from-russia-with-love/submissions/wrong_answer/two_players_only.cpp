// The honest answer to the first group: two players, we are second. Everything else is not looked at.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

int solve(const vector<int> &x, int n, int, int) {
    vector<vector<int>> w(n + 1, vector<int>(n + 1, 0));
    for (int length = 2; length <= n; length++)
        for (int i = 0; i + length <= n; i++) {
            int j = i + length - 1;
            // the other takes an end, then we do; after the pair it is the same game again
            int a = max(x[i + 1] + (length > 2 ? w[i + 2][j] : 0), x[j] + (length > 2 ? w[i + 1][j - 1] : 0));
            int b = max(x[i] + (length > 2 ? w[i + 1][j - 1] : 0), x[j - 1] + (length > 2 ? w[i][j - 2] : 0));
            w[i][j] = min(a, b);
        }
    return w[0][n - 1];
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
