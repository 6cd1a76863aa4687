/* Sums are kept in 16 bits. */
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int t;
    scanf("%d", &t);
    while (t--) {
        static int16_t x[2000], w[2001];
        int n, m, k;
        scanf("%d %d %d", &n, &m, &k);
        for (int i = 0; i < n; i++) scanf("%hd", &x[i]);
        for (int i = 0; i <= n; i++) w[i] = 0;
        for (int length = 1; length <= n; length++)
            for (int i = 0; i + length <= n; i++) {
                int16_t left = w[i + 1], right = w[i];
                if ((n - length) % m == k) {
                    left = (int16_t)(left + x[i]);
                    right = (int16_t)(right + x[i + length - 1]);
                    w[i] = left > right ? left : right;
                } else {
                    w[i] = left < right ? left : right;
                }
            }
        printf("%d\n", w[0]);
    }
    return 0;
}
