/* Takes a coin of value 0 for no coin at all. */
#include <stdio.h>

int main(void) {
    int t;
    scanf("%d", &t);
    while (t--) {
        static int x[2000], w[2001];
        int n, m, k, left = 0;
        scanf("%d %d %d", &n, &m, &k);
        for (int i = 0; i < n; i++) {
            scanf("%d", &x[left]);
            if (x[left] != 0) left++;
        }
        n = left;
        for (int i = 0; i <= n; i++) w[i] = 0;
        for (int length = 1; length <= n; length++)
            for (int i = 0; i + length <= n; i++) {
                int a = w[i + 1], b = w[i], mine = (n - length) % m == k;
                if (mine) {
                    a += x[i];
                    b += x[i + length - 1];
                }
                w[i] = (a > b) == mine ? a : b;
            }
        printf("%d\n", w[0]);
    }
    return 0;
}
