/* Sums are kept in 32 bits. */
#include <stdio.h>

static long long x[5000];
static int w[5000 + 1];

static long long solve(int n) {
    for (int i = 0; i <= n; i++) w[i] = 0;
    for (int length = 1; length <= n; length++)
        for (int i = 0; i + length <= n; i++) {
            int mine = (n - length) % 2 == 0;
            long long a = w[i + 1] + (mine ? x[i] : 0), b = w[i] + (mine ? x[i + length - 1] : 0);
            w[i] = (int)((a > b) == mine ? a : b);
        }
    return w[0];
}

int main(void) {
    int n;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) scanf("%lld", &x[i]);
    printf("%lld\n", solve(n));
    return 0;
}
