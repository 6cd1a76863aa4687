#include <bits/stdc++.h>
using namespace std;

int main() {
    int n;
    scanf("%d", &n);
    long long a = 1, b = 1;
    for (int i = 1; i < n; i++) { long long c = (a + b) % 1000007; a = b; b = c; }
    printf("%lld\n", b);
}
