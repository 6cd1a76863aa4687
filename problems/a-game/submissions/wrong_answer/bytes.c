/* Sums are kept in 8 bits. */
#include <stdio.h>

static long long x[100];
static unsigned char w[100 + 1];

static long long solve(int n) {
    for (int i = 0; i <= n; i++) w[i] = 0;
    for (int length = 1; length <= n; length++)
        for (int i = 0; i + length <= n; i++) {
            int mine = (n - length) % 2 == 0;
            long long a = w[i + 1] + (mine ? x[i] : 0), b = w[i] + (mine ? x[i + length - 1] : 0);
            w[i] = (unsigned char)((a > b) == mine ? a : b);
        }
    return w[0];
}

int main(void) {
    int n;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) scanf("%lld", &x[i]);
    long long first = solve(n), sum = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    printf("%lld %lld\n", first, sum - first);
    return 0;
}
