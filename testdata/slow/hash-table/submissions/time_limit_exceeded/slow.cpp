#include <bits/stdc++.h>
using namespace std;

int main() {
    int n; scanf("%d", &n); vector<long long> a(n); for (auto& x : a) scanf("%lld", &x);
    unordered_set<long long> seen;
    for (auto x : a) seen.insert(x);
    printf("%d\n", (int)seen.size());
}
