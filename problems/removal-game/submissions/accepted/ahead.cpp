// The difference of both scores, 64-bit, one row of the table.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

long long solve(const vector<long long> &x) {
    int n = x.size();
    // w[i]: by how much the one on move can be ahead in the row that starts at i
    vector<long long> w(n + 1, 0);
    for (int length = 1; length <= n; length++)
        for (int i = 0; i + length <= n; i++) w[i] = max(x[i] - w[i + 1], x[i + length - 1] - w[i]);
    long long sum = 0;
    for (long long v : x) sum += v;
    return (sum + w[0]) / 2;
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
