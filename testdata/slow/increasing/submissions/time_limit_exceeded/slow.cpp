#include <bits/stdc++.h>
using namespace std;

int main() {
    int n; scanf("%d", &n); vector<long long> a(n); for (auto& x : a) scanf("%lld", &x);
    vector<int> best(n, 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (a[j] < a[i] && best[j] >= best[i]) best[i] = best[j] + 1;
    printf("%d\n", *max_element(best.begin(), best.end()));
}
