// Right, but thinks of the whole game anew, without memory, at each move.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

int n, m, k;
vector<int> x;

int worth(int i, int j) {
    if (i > j) return 0;
    int left = worth(i + 1, j), right = worth(i, j - 1);
    return (n - (j - i + 1)) % m == k ? max(x[i] + left, x[j] + right) : min(left, right);
}

int main() {
    int games;
    cin >> games;
    while (games--) {
        cin >> n >> m >> k;
        x.assign(n, 0);
        for (int &v : x) cin >> v;
        int i = 0, j = n - 1;
        for (string others; cin >> others && others != ".";) {
            for (char c : others) {
                if (c == 'L') i++;
                if (c == 'R') j--;
            }
            bool left = x[i] + worth(i + 1, j) >= x[j] + worth(i, j - 1);
            cout << (left ? "L" : "R") << endl;
            left ? i++ : j--;
        }
    }
}
