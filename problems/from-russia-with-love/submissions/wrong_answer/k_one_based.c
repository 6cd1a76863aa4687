/* Reads k as if players were numbered from one. */
#include <stdio.h>

static int x[2000], w[2001];

int main(void) {
    int t;
    scanf("%d", &t);
    while (t--) {
        int n, m, k;
        scanf("%d %d %d", &n, &m, &k);
        k--;
        for (int i = 0; i < n; i++) scanf("%d", &x[i]);
        for (int i = 0; i <= n; i++) w[i] = 0;
        for (int length = 1; length <= n; length++)
            for (int i = 0; i + length <= n; i++) {
                int mine = (n - length) % m == k;
                int left = w[i + 1] + (mine ? x[i] : 0), right = w[i] + (mine ? x[i + length - 1] : 0);
                w[i] = (left > right) == mine ? left : right;
            }
        printf("%d\n", w[0]);
    }
    return 0;
}
