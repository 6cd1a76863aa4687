#include <bits/stdc++.h>
using namespace std;

int main() {
    int n; scanf("%d", &n); vector<long long> a(n); for (auto& x : a) scanf("%lld", &x);
    vector<long long> last;
    for (auto x : a) {
        auto at = lower_bound(last.begin(), last.end(), x);
        if (at == last.end()) last.push_back(x);
        else *at = x;
    }
    printf("%d\n", (int)last.size());
}
