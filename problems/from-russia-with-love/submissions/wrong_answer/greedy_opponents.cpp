// The others are taken to be greedy: each takes the larger end.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

int solve(const vector<int> &x, int n, int m, int k) {
    vector<int> w(n + 1, 0);
    for (int length = 1; length <= n; length++) {
        bool mine = (n - length) % m == k;
        for (int i = 0; i + length <= n; i++) {
            int first = x[i], last = x[i + length - 1];
            w[i] = mine ? max(first + w[i + 1], last + w[i])
                        : first >= last ? w[i + 1] : w[i];
        }
    }
    return w[0];
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
