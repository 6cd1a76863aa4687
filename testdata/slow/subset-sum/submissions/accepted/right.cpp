#include <bits/stdc++.h>
using namespace std;

int main() {
    int n, s;
    scanf("%d %d", &n, &s);
    bitset<10001> sums;
    sums[0] = 1;
    for (int i = 0, x; i < n; i++) {
        scanf("%d", &x);
        sums |= sums << x;
    }
    puts(sums[s] ? "yes" : "no");
}
