#include <bits/stdc++.h>
using namespace std;

int find(vector<int>& root, int u) {
    while (root[u] != u) u = root[u] = root[root[u]];
    return u;
}

int main() {
    int n, m;
    scanf("%d %d", &n, &m);
    vector<int> root(n + 1);
    iota(root.begin(), root.end(), 0);
    int parts = n;
    for (int i = 0; i < m; i++) {
        int u, v;
        scanf("%d %d", &u, &v);
        u = find(root, u);
        v = find(root, v);
        if (u != v) { root[u] = v; parts--; }
    }
    printf("%d\n", parts);
}
