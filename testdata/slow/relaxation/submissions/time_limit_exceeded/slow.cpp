#include <bits/stdc++.h>
using namespace std;

int main() {
    int n, m;
    scanf("%d %d", &n, &m);
    vector<array<int, 3>> edges(m);
    for (auto& [u, v, w] : edges) scanf("%d %d %d", &u, &v, &w);
    vector<long long> far(n + 1, LLONG_MAX / 2);
    far[1] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (auto& [u, v, w] : edges)
            if (far[u] < LLONG_MAX / 2 && far[u] + w < far[v]) { far[v] = far[u] + w; changed = true; }
    }
    printf("%lld\n", far[n] == LLONG_MAX / 2 ? -1 : far[n]);
}
