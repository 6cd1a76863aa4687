#include <bits/stdc++.h>
using namespace std;

int main() {
    int h, w;
    scanf("%d %d", &h, &w);
    vector<string> grid(h);
    for (auto& row : grid) cin >> row;
    vector<vector<int>> side(h + 1, vector<int>(w + 1));
    int best = 0;
    for (int i = 1; i <= h; i++)
        for (int j = 1; j <= w; j++)
            if (grid[i - 1][j - 1] == '.')
                best = max(best, side[i][j] = 1 + min({side[i - 1][j], side[i][j - 1], side[i - 1][j - 1]}));
    printf("%d\n", best);
}
