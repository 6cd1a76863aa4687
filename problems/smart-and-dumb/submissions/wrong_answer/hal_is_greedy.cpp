// Hal is taken to grab the larger end.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

long long play(const vector<long long> &x, bool help) {
    int n = x.size();
    vector<long long> w(n + 1, 0);
    for (int length = 1; length <= n; length++)
        for (int i = 0, j = length - 1; j < n; i++, j++)
            if ((n - length) % 2 == 0) w[i] = max(x[i] + w[i + 1], x[j] + w[i]);
            else w[i] = help ? max(w[i + 1], w[i]) : (x[i] >= x[j] ? w[i + 1] : w[i]);
    return w[0];
}

long long helped(const vector<long long> &x) { return play(x, true); }

long long hostile(const vector<long long> &x) { return play(x, false); }

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
