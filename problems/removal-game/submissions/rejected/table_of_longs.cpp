// The full table of eight-byte numbers: 200 MB.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

long long solve(const vector<long long> &x) {
    int n = x.size();
    vector<vector<long long>> w(n + 1, vector<long long>(n + 1, 0));
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j <= n; j++) w[i][j] = max(x[i] - w[i + 1][j], x[j - 1] - w[i][j - 1]);
    long long sum = 0;
    for (long long v : x) sum += v;
    return (sum + w[0][n]) / 2;
}

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n;
    cin >> n;
    vector<long long> x(n);
    for (long long &v : x) cin >> v;
    cout << solve(x) << '\n';
}
