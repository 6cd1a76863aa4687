// Plain recursion without memory.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

long long ahead(const vector<long long> &x, int i, int j) {
    return i == j ? 0 : max(x[i] - ahead(x, i + 1, j), x[j - 1] - ahead(x, i, j - 1));
}

long long solve(const vector<long long> &x) {
    long long sum = 0;
    for (long long v : x) sum += v;
    return (sum + ahead(x, 0, x.size())) / 2;
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
