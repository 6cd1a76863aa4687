/* Right, but all answers on one line: blanks and line ends are the same to the checker. */
#include <stdio.h>

int main(void) {
    int t;
    scanf("%d", &t);
    while (t--) {
        static int x[2000], w[2001];
        int n, m, k;
        scanf("%d %d %d", &n, &m, &k);
        for (int i = 0; i < n; i++) scanf("%d", &x[i]);
        for (int i = 0; i <= n; i++) w[i] = 0;
        for (int length = 1; length <= n; length++)
            for (int i = 0; i + length <= n; i++) {
                int left = w[i + 1], right = w[i];
                if ((n - length) % m == k) {
                    left += x[i];
                    right += x[i + length - 1];
                    w[i] = left > right ? left : right;
                } else {
                    w[i] = left < right ? left : right;
                }
            }
        printf("%d ", w[0]);
    }
    return 0;
}
