#include <bits/stdc++.h>
using namespace std;

int main() {
    int n, q;
    scanf("%d %d", &n, &q);
    vector<long long> a(n + 1);
    for (int i = 1; i <= n; i++) scanf("%lld", &a[i]);
    vector<vector<long long>> best = {a};
    for (int k = 1; (1 << k) <= n; k++) {
        best.push_back(best.back());
        for (int i = 1; i + (1 << k) <= n + 1; i++) best[k][i] = max(best[k - 1][i], best[k - 1][i + (1 << (k - 1))]);
    }
    while (q--) {
        int l, r;
        scanf("%d %d", &l, &r);
        int k = 31 - __builtin_clz(r - l + 1);
        printf("%lld\n", max(best[k][l], best[k][r - (1 << k) + 1]));
    }
}
