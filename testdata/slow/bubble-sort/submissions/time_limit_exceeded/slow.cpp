#include <bits/stdc++.h>
using namespace std;

int main() {
    int n; scanf("%d", &n); vector<long long> a(n); for (auto& x : a) scanf("%lld", &x);
    for (bool swapped = true; swapped;) {
        swapped = false;
        for (int i = 0; i + 1 < n; i++)
            if (a[i] > a[i + 1]) { swap(a[i], a[i + 1]); swapped = true; }
    }
    printf("%lld\n", a[n - 1] - a[0]);
}
