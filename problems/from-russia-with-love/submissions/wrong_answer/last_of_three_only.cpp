// The honest answer to the first two groups: up to three players, we move last.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

int last_of_two(const vector<int> &x, int n) {
    vector<vector<int>> w(n + 1, vector<int>(n + 1, 0));
    for (int length = 2; length <= n; length++)
        for (int i = 0, j = length; j <= n; i++, j++)
            w[i][j] = min(max(x[i + 1] + w[i + 2][j], x[j - 1] + w[i + 1][j - 1]),
                          max(x[i] + w[i + 1][j - 1], x[j - 2] + w[i][j - 2]));
    return w[0][n];
}

int last_of_three(const vector<int> &x, int n) {
    vector<vector<int>> w(n + 1, vector<int>(n + 1, 0));
    for (int length = 3; length <= n; length++)
        for (int i = 0, j = length; j <= n; i++, j++) {
            int both_left = max(x[i + 2] + w[i + 3][j], x[j - 1] + w[i + 2][j - 1]);
            int both_right = max(x[i] + w[i + 1][j - 2], x[j - 3] + w[i][j - 3]);
            int one_each = max(x[i + 1] + w[i + 2][j - 1], x[j - 2] + w[i + 1][j - 2]);
            w[i][j] = min(min(both_left, both_right), one_each);
        }
    return w[0][n];
}

int solve(const vector<int> &x, int n, int m, int) {
    if (m == 1) {
        int sum = 0;
        for (int v : x) sum += v;
        return sum;
    }
    return m == 2 ? last_of_two(x, n) : last_of_three(x, n);
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
