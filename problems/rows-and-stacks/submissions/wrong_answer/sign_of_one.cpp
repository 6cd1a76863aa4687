// The sign of a trap follows the number of coins of its own stack.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int c;
    cin >> c;
    vector<long long> rest;
    long long sum = 0, traps = 0;
    while (c--) {
        char kind;
        int len;
        cin >> kind >> len;
        vector<long long> row;
        for (int i = 0; i < len; i++) {
            long long v;
            cin >> v;
            sum += v;
            while (row.size() >= 2 && row[row.size() - 2] <= row.back() && v <= row.back()) {
                long long x = row[row.size() - 2], peak = row.back();
                row.resize(row.size() - 2);
                v = x - peak + v;
            }
            row.push_back(v);
        }
        while (kind == 'S' && row.size() >= 2 && row[row.size() - 2] <= row.back()) {
            traps += (len % 2 == 0 ? 1 : -1) * (row[row.size() - 2] - row.back());
            row.resize(row.size() - 2);
        }
        rest.insert(rest.end(), row.begin(), row.end());
    }
    sort(rest.rbegin(), rest.rend());
    long long ahead = traps;
    for (size_t i = 0; i < rest.size(); i++) ahead += i % 2 == 0 ? rest[i] : -rest[i];
    cout << ahead << ' ' << (sum + ahead) / 2 << '\n';
}
