// Recursion with memory, with 32-bit cells.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

#include <climits>

vector<vector<int>> known;

int ahead(const vector<int> &x, int i, int j) {
    if (i == j) return 0;
    int &value = known[i][j];
    if (value != INT_MIN) return value;
    return value = max(x[i] - ahead(x, i + 1, j), x[j - 1] - ahead(x, i, j - 1));
}

long long solve(const vector<int> &x) {
    int n = x.size();
    known.assign(n + 1, vector<int>(n + 1, INT_MIN));
    long long sum = 0;
    for (long long v : x) sum += v;
    return (sum + ahead(x, 0, n)) / 2;
}

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n;
    cin >> n;
    vector<int> x(n);
    for (int &v : x) cin >> v;
    cout << solve(x) << '\n';
}
