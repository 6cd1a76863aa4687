#include <stdio.h>

int main(void) {
    int n, x;
    long long sum = 0;
    if (scanf("%d", &n) != 1) return 1;
    while (n-- > 0 && scanf("%d", &x) == 1) sum += x;
    printf("%lld\n", sun);
    return 0;
}
