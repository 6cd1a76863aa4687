#include <bits/stdc++.h>
using namespace std;

int main() {
    int n; scanf("%d", &n); vector<long long> a(n); for (auto& x : a) scanf("%lld", &x);
    vector<array<int, 2>> next(n, {-1, -1});
    int different = 1;
    for (int i = 1; i < n; i++) {
        int at = 0;
        while (a[at] != a[i]) {
            int& child = next[at][a[at] < a[i]];
            if (child < 0) { child = i; different++; }
            at = child;
        }
    }
    printf("%d\n", different);
}
