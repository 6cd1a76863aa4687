#include <stdio.h>
#include <string.h>

/* two players, I am second */
int x[2001], w[2001];

int main() {
    int t, n, m, k, len, i;
    scanf("%d", &t);
    while (t--) {
        scanf("%d %d %d", &n, &m, &k);
        for (i = 0; i < n; i++) scanf("%d", &x[i]);
        memset(w, 0, sizeof w);
        for (len = 1; len <= n; len++)
            for (i = 0; i + len <= n; i++) {
                if ((n - len) % 2 == 1) {
                    int a = x[i] + w[i + 1], b = x[i + len - 1] + w[i];
                    w[i] = a > b ? a : b;
                } else if (w[i + 1] < w[i]) {
                    w[i] = w[i + 1];
                }
            }
        printf("%d\n", w[0]);
    }
    return 0;
}
