#include <bits/stdc++.h>
using namespace std;

int main() {
    int n;
    scanf("%d", &n);
    vector<pair<int, int>> all(n);
    for (auto& [start, end] : all) scanf("%d %d", &start, &end);
    sort(all.begin(), all.end());
    priority_queue<int, vector<int>, greater<int>> open;
    size_t best = 0;
    for (auto [start, end] : all) {
        while (!open.empty() && open.top() < start) open.pop();
        open.push(end);
        best = max(best, open.size());
    }
    printf("%zu\n", best);
}
