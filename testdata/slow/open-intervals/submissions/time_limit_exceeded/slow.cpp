#include <bits/stdc++.h>
using namespace std;

int main() {
    int n;
    scanf("%d", &n);
    vector<pair<int, int>> all(n);
    for (auto& [start, end] : all) scanf("%d %d", &start, &end);
    sort(all.begin(), all.end());
    list<int> open;
    size_t best = 0;
    for (auto [start, end] : all) {
        int now = start;
        open.remove_if([now](int other) { return other < now; });
        open.push_back(end);
        best = max(best, open.size());
    }
    printf("%zu\n", best);
}
