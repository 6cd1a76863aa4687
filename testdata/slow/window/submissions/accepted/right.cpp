#include <bits/stdc++.h>
using namespace std;

int main() {
    int n, k;
    scanf("%d %d", &n, &k);
    vector<int> a(n);
    for (int& x : a) scanf("%d", &x);
    long long sum = 0;
    deque<int> best;
    for (int i = 0; i < n; i++) {
        while (!best.empty() && a[best.back()] <= a[i]) best.pop_back();
        best.push_back(i);
        if (best.front() <= i - k) best.pop_front();
        if (i >= k - 1) sum += a[best.front()];
    }
    printf("%lld\n", sum);
}
