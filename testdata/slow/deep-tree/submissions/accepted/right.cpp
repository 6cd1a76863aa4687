#include <bits/stdc++.h>
using namespace std;

int main() {
    int n;
    scanf("%d", &n);
    vector<vector<int>> next(n + 1);
    for (int i = 1; i < n; i++) {
        int u, v;
        scanf("%d %d", &u, &v);
        next[u].push_back(v);
        next[v].push_back(u);
    }
    vector<int> parent(n + 1), order = {1};
    for (size_t at = 0; at < order.size(); at++)
        for (int v : next[order[at]])
            if (v != parent[order[at]]) { parent[v] = order[at]; order.push_back(v); }
    vector<long long> depth(n + 1);
    long long sum = 0;
    for (int u : order)
        if (u != 1) sum += depth[u] = depth[parent[u]] + 1;
    printf("%lld\n", sum);
}
