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
    long long sum = 0;
    for (int u = 1; u <= n; u++)
        for (int v = u; v != 1; v = parent[v]) sum++;
    printf("%lld\n", sum);
}
