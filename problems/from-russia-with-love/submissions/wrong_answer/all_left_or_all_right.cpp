// The others all take from one side: h = 0 and h = m - 1 are tried, nothing between.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

int n, m, k;
vector<int> x;
vector<vector<int>> known;

int best(int i, int j);

int worst(int i, int j, int moves) {
    if (j - i <= moves) return 0;
    return min(best(i + moves, j), best(i, j - moves));
}

// p_k is on move in [i, j)
int best(int i, int j) {
    int &value = known[i][j];
    if (value >= 0) return value;
    return value = max(x[i] + worst(i + 1, j, m - 1), x[j - 1] + worst(i, j - 1, m - 1));
}

int solve(const vector<int> &row, int coins, int players, int turn) {
    x = row, n = coins, m = players, k = turn;
    known.assign(n + 1, vector<int>(n + 1, -1));
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
