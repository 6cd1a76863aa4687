// Plain recursion without memory.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

long long play(const vector<long long> &x, int i, int j, bool mine, bool help) {
    if (i == j) return 0;
    long long left = play(x, i + 1, j, !mine, help), right = play(x, i, j - 1, !mine, help);
    if (mine) return max(x[i] + left, x[j - 1] + right);
    return help ? max(left, right) : min(left, right);
}

long long helped(const vector<long long> &x) { return play(x, 0, x.size(), true, true); }

long long hostile(const vector<long long> &x) { return play(x, 0, x.size(), true, false); }

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
        cout << helped(x) << ' ' << hostile(x) << '\n';
    }
}
