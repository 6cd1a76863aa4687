// Does not answer when a single coin is left, and so waits forever.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

int main() {
    int games;
    cin >> games;
    while (games--) {
        int n, m, k;
        cin >> n >> m >> k;
        vector<int> x(n);
        for (int &v : x) cin >> v;
        // w[length][i]: what we get of the coins i, ..., i + length - 1
        vector<vector<int>> w(n + 1, vector<int>(n + 1, 0));
        for (int length = 1; length <= n; length++)
            for (int i = 0, j = length - 1; j < n; i++, j++)
                w[length][i] = (n - length) % m == k ? max(x[i] + w[length - 1][i + 1], x[j] + w[length - 1][i])
                                              : min(w[length - 1][i + 1], w[length - 1][i]);
        int i = 0, j = n - 1;
        for (string others; cin >> others && others != ".";) {
            for (char c : others) {
                if (c == 'L') i++;
                if (c == 'R') j--;
            }
            int length = j - i + 1;
            bool left = x[i] + w[length - 1][i + 1] >= x[j] + w[length - 1][i];
            if (length == 1) continue;
            cout << (left ? "L" : "R") << endl;
            left ? i++ : j--;
        }
    }
}
