#include <bits/stdc++.h>
using namespace std;

long long ways(int n) { return n < 2 ? 1 : (ways(n - 1) + ways(n - 2)) % 1000007; }

int main() {
    int n;
    scanf("%d", &n);
    printf("%lld\n", ways(n));
}
