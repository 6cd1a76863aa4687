// Plain recursion without memory.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

int go(const vector<int> &x, int i, int j, int turn, int m, int k) {
    if (i == j) return 0;
    int left = go(x, i + 1, j, (turn + 1) % m, m, k), right = go(x, i, j - 1, (turn + 1) % m, m, k);
    return turn == k ? max(x[i] + left, x[j - 1] + right) : min(left, right);
}

int solve(const vector<int> &x, int n, int m, int k) { return go(x, 0, n, 0, m, k); }

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
