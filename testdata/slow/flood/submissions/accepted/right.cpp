#include <bits/stdc++.h>
using namespace std;

int main() {
    int h, w;
    scanf("%d %d", &h, &w);
    vector<string> grid(h);
    for (auto& row : grid) cin >> row;
    vector<pair<int, int>> wet = {{0, 0}};
    grid[0][0] = 'w';
    for (size_t at = 0; at < wet.size(); at++)
        for (auto [di, dj] : {pair(0, 1), pair(1, 0), pair(0, -1), pair(-1, 0)}) {
            int i = wet[at].first + di, j = wet[at].second + dj;
            if (i >= 0 && j >= 0 && i < h && j < w && grid[i][j] == '.') { grid[i][j] = 'w'; wet.push_back({i, j}); }
        }
    printf("%zu\n", wet.size());
}
