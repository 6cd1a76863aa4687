#include <bits/stdc++.h>
using namespace std;

int main() {
    int n, k;
    scanf("%d %d", &n, &k);
    vector<int> a(n);
    for (int& x : a) scanf("%d", &x);
    long long sum = 0;
    int best = -1;
    for (int i = 0; i < n; i++) {
        if (best <= i - k) {
            best = i - k + 1 < 0 ? 0 : i - k + 1;
            for (int j = best; j <= i; j++)
                if (a[j] >= a[best]) best = j;
        } else if (best < 0 || a[i] >= a[best]) best = i;
        if (i >= k - 1) sum += a[best];
    }
    printf("%lld\n", sum);
}
