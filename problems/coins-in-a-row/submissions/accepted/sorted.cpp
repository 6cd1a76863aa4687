// One walk with a stack, then the coins of the valley in falling order.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

long long solve(const vector<long long> &x) {
    vector<long long> row;
    long long sum = 0;
    for (long long v : x) {
        sum += v;
        row.push_back(v);
        for (size_t n; (n = row.size()) >= 3 && row[n - 3] <= row[n - 2] && row[n - 1] <= row[n - 2];) {
            long long fused = row[n - 3] - row[n - 2] + row[n - 1];
            row.resize(n - 3);
            row.push_back(fused);
        }
    }
    // what is left is a valley: taking the coins in falling order is best for both
    sort(row.rbegin(), row.rend());
    long long ahead = 0;
    for (size_t i = 0; i < row.size(); i++) ahead += i % 2 == 0 ? row[i] : -row[i];
    return (sum + ahead) / 2;
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
