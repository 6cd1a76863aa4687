// The two scores of the one who moves second and of the one who moves first, in this order.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <vector>
using namespace std;

long long solve(const vector<long long> &x) {
    int n = x.size();
    vector<long long> w(n + 1, 0);
    for (int length = 1; length <= n; length++)
        for (int i = 0, j = length - 1; j < n; i++, j++)
            w[i] = (n - length) % 2 == 1 ? max(x[i] + w[i + 1], x[j] + w[i]) : min(w[i + 1], w[i]);
    return w[0];
}

int main() {
    freopen("game1.in", "r", stdin);
    freopen("game1.out", "w", stdout);
    int n;
    cin >> n;
    vector<long long> x(n);
    for (long long &v : x) cin >> v;
    long long first = solve(x), sum = 0;
    for (long long v : x) sum += v;
    cout << first << ' ' << sum - first << '\n';
}
