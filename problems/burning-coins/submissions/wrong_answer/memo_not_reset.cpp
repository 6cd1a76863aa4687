// What is known of one test case is believed of the next.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

vector<vector<long long>> known(2501, vector<long long>(2501, -1000000000));

long long ahead(const vector<long long> &x, int i, int j) {
    if (i == j) return 0;
    long long &value = known[i][j];
    if (value != -1000000000) return value;
    return value = max(x[i] - ahead(x, i + 1, j), x[j - 1] - ahead(x, i, j - 1));
}

long long solve(const vector<long long> &x) {
    int n = x.size();
    long long sum = 0;
    for (long long v : x) sum += v;
    return (sum + ahead(x, 0, n)) / 2;
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
