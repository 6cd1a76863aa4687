#include <bits/stdc++.h>
using namespace std;

int main() {
    int n; scanf("%d", &n); vector<long long> a(n); for (auto& x : a) scanf("%lld", &x);
    long long sum = 0;
    vector<int> stack;
    for (int i = 0; i < n; i++) {
        while (!stack.empty() && a[stack.back()] < a[i]) { sum += i - stack.back(); stack.pop_back(); }
        stack.push_back(i);
    }
    for (int i : stack) sum += n - i;
    printf("%lld\n", sum);
}
