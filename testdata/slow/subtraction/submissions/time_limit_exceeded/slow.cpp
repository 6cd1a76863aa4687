#include <bits/stdc++.h>
using namespace std;

int main() {
    volatile long long a, b;
    long long x, y;
    scanf("%lld %lld", &x, &y);
    a = x;
    b = y;
    while (a != b) {
        if (a > b) a = a - b;
        else b = b - a;
    }
    printf("%lld\n", (long long)a);
}
