#include <bits/stdc++.h>
using namespace std;

int main() {
    long long n;
    scanf("%lld", &n);
    for (long long d = 2; d * d <= n; d++)
        if (n % d == 0) { printf("%lld\n", d); return 0; }
    puts("prime");
}
