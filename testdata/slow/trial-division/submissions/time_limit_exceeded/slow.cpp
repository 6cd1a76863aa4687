#include <bits/stdc++.h>
using namespace std;

int main() {
    long long n;
    scanf("%lld", &n);
    long long d = 2;
    while (n % d != 0) d++;
    if (d == n) puts("prime");
    else printf("%lld\n", d);
}
