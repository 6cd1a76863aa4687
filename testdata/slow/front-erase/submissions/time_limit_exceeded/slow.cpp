#include <bits/stdc++.h>
using namespace std;

int main() {
    int n; scanf("%d", &n); vector<long long> a(n); for (auto& x : a) scanf("%lld", &x);
    long long sum = 0;
    while (!a.empty()) { sum += a[0]; a.erase(a.begin()); }
    printf("%lld\n", sum);
}
