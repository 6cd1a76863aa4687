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
        long long pairs = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) pairs += a[i] == a[j];
        printf("%lld\n", pairs);
    }
}
