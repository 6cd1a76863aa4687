// Keeps a table where it knows how, with at most three players; with more it tries everything: right, and far too slow.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

int n, m, k;
vector<int> x;

int with_table() {
    vector<int> dp(n + 1, 0);
    for (int length = 1; length <= n; length++)
        for (int i = 0; i + length <= n; i++)
            if ((n - length) % m == k) dp[i] = max(x[i] + dp[i + 1], x[i + length - 1] + dp[i]);
            else dp[i] = min(dp[i], dp[i + 1]);
    return dp[0];
}

int try_all(int i, int j, int turn) {
    if (i == j) return 0;
    int next = (turn + 1) % m;
    int first = try_all(i + 1, j, next), last = try_all(i, j - 1, next);
    return turn == k ? max(x[i] + first, x[j - 1] + last) : min(first, last);
}

int main() {
    int t;
    cin >> t;
    while (t--) {
        cin >> n >> m >> k;
        x.resize(n);
        for (auto &c : x) cin >> c;
        cout << (m <= 3 ? with_table() : try_all(0, n, 0)) << "\n";
    }
}
