/* The better of the places with even and with odd numbers. */
#include <stdio.h>

int main(void) {
    int n;
    long long sums[2] = {0, 0};
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        long long number;
        scanf("%lld", &number);
        sums[i % 2] += number;
    }
    printf("%lld\n", sums[0] > sums[1] ? sums[0] : sums[1]);
    return 0;
}
