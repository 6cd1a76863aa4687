// The table of known values lives on from one test case to the next.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

vector<vector<int>> known(2001, vector<int>(2001, -1));

int go(const vector<int> &x, int i, int length, int m, int k) {
    if (length == 0) return 0;
    int &value = known[i][length];
    if (value >= 0) return value;
    int n = x.size();
    int left = go(x, i + 1, length - 1, m, k), right = go(x, i, length - 1, m, k);
    bool mine = (n - length) % m == k;
    return value = mine ? max(x[i] + left, x[i + length - 1] + right) : min(left, right);
}

int solve(const vector<int> &x, int n, int m, int k) { return go(x, 0, n, m, k); }

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
