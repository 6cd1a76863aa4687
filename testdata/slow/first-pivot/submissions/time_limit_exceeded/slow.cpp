#include <bits/stdc++.h>
using namespace std;

void quick(vector<long long>& a, int from, int to) {
    while (from < to) {
        long long pivot = a[from];
        int end = from;
        for (int at = from + 1; at <= to; at++)
            if (a[at] < pivot) swap(a[++end], a[at]);
        swap(a[from], a[end]);
        if (end - from < to - end) { quick(a, from, end - 1); from = end + 1; }
        else { quick(a, end + 1, to); to = end - 1; }
    }
}

int main() {
    int n; scanf("%d", &n); vector<long long> a(n); for (auto& x : a) scanf("%lld", &x);
    quick(a, 0, n - 1);
    for (auto x : a) printf("%lld\n", x);
}
