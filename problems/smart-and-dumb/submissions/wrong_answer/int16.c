/* Sums are kept in 16 bits. */
#include <stdio.h>

static long long x[1500];
static short w[1501];

static int play(int n, int help) {
    for (int i = 0; i <= n; i++) w[i] = 0;
    for (int length = 1; length <= n; length++)
        for (int i = 0; i + length <= n; i++) {
            int mine = (n - length) % 2 == 0;
            int a = w[i + 1] + (mine ? x[i] : 0), b = w[i] + (mine ? x[i + length - 1] : 0);
            w[i] = (short)((a > b) == (mine || help) ? a : b);
        }
    return w[0];
}

static long long helped(int n) { return play(n, 1); }

static long long hostile(int n) { return play(n, 0); }

int main(void) {
    int t;
    scanf("%d", &t);
    while (t--) {
        int n;
        scanf("%d", &n);
        for (int i = 0; i < n; i++) scanf("%lld", &x[i]);
        printf("%lld %lld\n", helped(n), hostile(n));
    }
    return 0;
}
