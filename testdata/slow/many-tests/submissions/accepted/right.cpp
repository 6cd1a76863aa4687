#include <bits/stdc++.h>
using namespace std;

int main() {
    int t;
    scanf("%d", &t);
    while (t--) {
        int n;
        scanf("%d", &n);
        vector<int> a(n);
        for (int& x : a) scanf("%d", &x);
        sort(a.begin(), a.end());
        long long pairs = 0;
        for (int i = 0, same = 0; i < n; i++) {
            same = i > 0 && a[i] == a[i - 1] ? same + 1 : 0;
            pairs += same;
        }
        printf("%lld\n", pairs);
    }
}
