// Recursion with memory over the turns of p_k; the others' moves are a loop over h: O(n^2) a case.
#include <algorithm>
#include <climits>
#include <iostream>
#include <vector>
using namespace std;

int n, m, k;
vector<int> x;
vector<vector<int>> known;

int best(int i, int j);

int worst(int i, int j, int moves) {
    if (j - i <= moves) return 0;
    int least = INT_MAX;
    for (int h = 0; h <= moves; h++) least = min(least, best(i + h, j - (moves - h)));
    return least;
}

// p_k is on move in [i, j)
int best(int i, int j) {
    int &value = known[i][j];
    if (value >= 0) return value;
    return value = max(x[i] + worst(i + 1, j, m - 1), x[j - 1] + worst(i, j - 1, m - 1));
}

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int t;
    cin >> t;
    while (t--) {
        cin >> n >> m >> k;
        x.assign(n, 0);
        for (int &v : x) cin >> v;
        known.assign(n + 1, vector<int>(n + 1, -1));
        cout << worst(0, n, k) << '\n';
    }
}
