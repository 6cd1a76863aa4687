// 0 stands for "not computed yet", so that what is worth 0 is computed again and again.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

vector<vector<int>> known;

int go(const vector<int> &x, int i, int j, int m, int k) {
    if (i == j) return 0;
    int &value = known[i][j];
    if (value != 0) return value;
    int n = x.size();
    int left = go(x, i + 1, j, m, k), right = go(x, i, j - 1, m, k);
    bool mine = (n - (j - i)) % m == k;
    return value = mine ? max(x[i] + left, x[j - 1] + right) : min(left, right);
}

int solve(const vector<int> &x, int n, int m, int k) {
    known.assign(n + 1, vector<int>(n + 1, 0));
    return go(x, 0, n, m, k);
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
