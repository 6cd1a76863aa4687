#include <bits/stdc++.h>
using namespace std;

int main() {
    int h, w;
    scanf("%d %d", &h, &w);
    vector<string> grid(h);
    for (auto& row : grid) cin >> row;
    int best = 0;
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            for (int s = 0;; s++) {
                bool fits = i + s < h && j + s < w;
                for (int k = 0; k <= s && fits; k++) fits = grid[i + k][j + s] == '.' && grid[i + s][j + k] == '.';
                if (!fits) { best = max(best, s); break; }
            }
    printf("%d\n", best);
}
