#include <bits/stdc++.h>
using namespace std;

int main() {
    int n, m;
    scanf("%d %d", &n, &m);
    vector<int> root(n + 1);
    iota(root.begin(), root.end(), 0);
    int parts = n;
    for (int i = 0; i < m; i++) {
        int u, v;
        scanf("%d %d", &u, &v);
        while (root[u] != u) u = root[u];
        while (root[v] != v) v = root[v];
        if (u != v) { root[u] = v; parts--; }
    }
    printf("%d\n", parts);
}
