// Adds up each interval anew: O(n^3).
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

long long solve(const vector<long long> &x) {
    int n = x.size();
    vector<vector<long long>> w(n + 1, vector<long long>(n + 1, 0));
    for (int length = 1; length <= n; length++)
        for (int i = 0, j = length; j <= n; i++, j++) {
            double left = x[i], right = x[j - 1];
            for (int h = i + 1; h < j; h++) left += x[h];
            for (int h = i; h < j - 1; h++) right += x[h];
            w[i][j] = max((long long)left - w[i + 1][j], (long long)right - w[i][j - 1]);
        }
    return w[0][n];
}

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int t;
    cin >> t;
    while (t--) {
        int n;
        cin >> n;
        vector<long long> x(n);
        for (long long &v : x) cin >> v;
        cout << solve(x) << '\n';
    }
}
