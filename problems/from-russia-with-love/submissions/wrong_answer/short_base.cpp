// Where fewer than m coins are left, nobody is paid any more.
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
    int least = 1 << 30;
    for (int h = 0; h <= moves; h++) least = min(least, best(i + h, j - moves + h));
    return least;
}

// p_k is on move in [i, j)
int best(int i, int j) {
    if (j - i < m) return 0;
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
