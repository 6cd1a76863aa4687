#include <bits/stdc++.h>
using namespace std;

int main() {
    int n, k;
    scanf("%d %d", &n, &k);
    int last = 0;
    for (int i = 2; i <= n; i++) last = (last + k) % i;
    printf("%d\n", last + 1);
}
