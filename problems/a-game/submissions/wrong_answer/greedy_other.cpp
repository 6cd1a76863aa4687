// The second player is taken to be greedy.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

long long solve(const vector<long long> &x) {
    int n = x.size();
    vector<long long> w(n + 1, 0);
    for (int length = 1; length <= n; length++)
        for (int i = 0, j = length - 1; j < n; i++, j++)
            w[i] = (n - length) % 2 == 0 ? max(x[i] + w[i + 1], x[j] + w[i]) : (x[i] >= x[j] ? w[i + 1] : w[i]);
    return w[0];
}

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n;
    cin >> n;
    vector<long long> x(n);
    for (long long &v : x) cin >> v;
    long long first = solve(x), sum = 0;
    for (long long v : x) sum += v;
    cout << first << ' ' << sum - first << '\n';
}
