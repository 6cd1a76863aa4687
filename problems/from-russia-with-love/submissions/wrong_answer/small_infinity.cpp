// "Infinity" is 100000, and sums pass it.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

const int INF = 100000;

int solve(const vector<int> &x, int n, int m, int k) {
    vector<int> w(n + 1, 0);
    for (int length = 1; length <= n; length++) {
        bool mine = (n - length) % m == k;
        for (int i = 0; i + length <= n; i++) {
            int least = INF;
            least = min(least, w[i]);
            least = min(least, w[i + 1]);
            w[i] = mine ? max(x[i] + w[i + 1], x[i + length - 1] + w[i]) : least;
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
