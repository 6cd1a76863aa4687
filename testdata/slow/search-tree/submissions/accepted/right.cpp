#include <bits/stdc++.h>
using namespace std;

int main() {
    int n; scanf("%d", &n); vector<long long> a(n); for (auto& x : a) scanf("%lld", &x);
    set<long long> seen(a.begin(), a.end());
    printf("%zu\n", seen.size());
}
