// Knows two and more players; with one alone it prints 0.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

int solve(const vector<int> &x, int n, int m, int k) {
    if (m < 2) return 0;
    vector<int> w(n + 1, 0);
    for (int length = 1; length <= n; length++)
        for (int i = 0; i + length <= n; i++)
            w[i] = (n - length) % m == k ? max(x[i] + w[i + 1], x[i + length - 1] + w[i]) : min(w[i], w[i + 1]);
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
