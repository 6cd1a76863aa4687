/* The others think, we just take the larger end. */
#include <stdio.h>

static int x[2000], w[2001];

static int solve(int n, int m, int k) {
    for (int i = 0; i <= n; i++) w[i] = 0;
    for (int length = 1; length <= n; length++)
        for (int i = 0; i + length <= n; i++) {
            int first = x[i], last = x[i + length - 1];
            if ((n - length) % m == k)
                w[i] = first >= last ? first + w[i + 1] : last + w[i];
            else
                w[i] = w[i] < w[i + 1] ? w[i] : w[i + 1];
        }
    return w[0];
}

int main(void) {
    int t;
    scanf("%d", &t);
    while (t--) {
        int n, m, k;
        scanf("%d %d %d", &n, &m, &k);
        for (int i = 0; i < n; i++) scanf("%d", &x[i]);
        printf("%d\n", solve(n, m, k));
    }
    return 0;
}
