#include <bits/stdc++.h>
using namespace std;

int main() {
    int n; scanf("%d", &n); vector<long long> a(n); for (auto& x : a) scanf("%lld", &x);
    long long sum = 0;
    for (int i = 0; i < n; i++) {
        int j = i + 1;
        while (j < n && a[j] <= a[i]) j++;
        sum += j - i;
    }
    printf("%lld\n", sum);
}
