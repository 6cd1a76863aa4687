/* The better of the coins at even and at odd places. */
#include <stdio.h>

int main(void) {
    int t;
    scanf("%d", &t);
    while (t--) {
        int n;
        long long sums[2] = {0, 0};
        scanf("%d", &n);
        for (int i = 0; i < n; i++) {
            long long coin;
            scanf("%lld", &coin);
            sums[i % 2] += coin;
        }
        printf("%lld\n", sums[0] > sums[1] ? sums[0] : sums[1]);
    }
    return 0;
}
