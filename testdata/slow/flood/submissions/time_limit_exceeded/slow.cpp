#include <bits/stdc++.h>
using namespace std;

int main() {
    int h, w;
    scanf("%d %d", &h, &w);
    vector<string> grid(h);
    for (auto& row : grid) cin >> row;
    grid[0][0] = 'w';
    int wet = 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < h; i++)
            for (int j = 0; j < w; j++) {
                if (grid[i][j] != '.') continue;
                bool near = (i > 0 && grid[i - 1][j] == 'w') || (j > 0 && grid[i][j - 1] == 'w') || (i + 1 < h && grid[i + 1][j] == 'w') || (j + 1 < w && grid[i][j + 1] == 'w');
                if (near) { grid[i][j] = 'w'; wet++; changed = true; }
            }
    }
    printf("%d\n", wet);
}
