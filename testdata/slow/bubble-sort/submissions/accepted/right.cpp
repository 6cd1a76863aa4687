#include <bits/stdc++.h>
using namespace std;

int main() {
    int n; scanf("%d", &n); vector<long long> a(n); for (auto& x : a) scanf("%lld", &x);
    printf("%lld\n", *max_element(a.begin(), a.end()) - *min_element(a.begin(), a.end()));
}
