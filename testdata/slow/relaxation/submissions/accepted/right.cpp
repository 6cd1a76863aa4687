#include <bits/stdc++.h>
using namespace std;

int main() {
    int n, m;
    scanf("%d %d", &n, &m);
    vector<array<int, 3>> edges(m);
    for (auto& [u, v, w] : edges) scanf("%d %d %d", &u, &v, &w);
    vector<long long> far(n + 1, LLONG_MAX / 2);
    far[1] = 0;
    vector<vector<pair<int, int>>> next(n + 1);
    for (auto& [u, v, w] : edges) next[u].push_back({v, w});
    priority_queue<pair<long long, int>> queue;
    queue.push({0, 1});
    while (!queue.empty()) {
        auto [d, u] = queue.top();
        queue.pop();
        if (-d > far[u]) continue;
        for (auto [v, w] : next[u])
            if (far[u] + w < far[v]) queue.push({-(far[v] = far[u] + w), v});
    }
    printf("%lld\n", far[n] == LLONG_MAX / 2 ? -1 : far[n]);
}
