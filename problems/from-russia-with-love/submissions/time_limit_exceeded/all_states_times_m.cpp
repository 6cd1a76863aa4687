// Computes every interval as if p_k were on move in it, with a loop over all the others' moves: O(n^2 m).
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

int solve(const vector<int> &x, int n, int m, int k) {
    vector<vector<int>> w(n + 1, vector<int>(n + 1, 0));
    auto worst = [&](int i, int j, int moves) {
        if (j - i <= moves) return 0;
        int least = 1 << 30;
        for (int h = 0; h <= moves; h++) least = min(least, w[i + h][j - moves + h]);
        return least;
    };
    for (int length = 1; length <= n; length++)
        for (int i = 0, j = length; j <= n; i++, j++)
            w[i][j] = max(x[i] + worst(i + 1, j, m - 1), x[j - 1] + worst(i, j - 1, m - 1));
    return worst(0, n, k);
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
