// Wrong where all of an odd number of coins are equal.
#include <stdio.h>

static int x[2501], best[2502];

static int larger(int a, int b) { return a > b ? a : b; }
static int lesser(int a, int b) { return a < b ? a : b; }

int main(void) {
    int tests;
    scanf("%d", &tests);
    for (int test = 0; test < tests; test++) {
        int n;
        scanf("%d", &n);
        for (int i = 0; i < n; i++) scanf("%d", &x[i]);
        for (int i = 0; i <= n; i++) best[i] = 0;
        for (int length = 1; length <= n; length++)
            for (int i = 0; i + length <= n; i++) {
                int j = i + length - 1;
                if ((n - length) % 2 == 0) best[i] = larger(x[i] + best[i + 1], x[j] + best[i]);
                else best[i] = lesser(best[i + 1], best[i]);
            }
        int equal = 1;
        for (int i = 1; i < n; i++) equal &= x[i] == x[0];
        if (equal) best[0] = n / 2 * x[0] + (n == 1 ? x[0] : 0);
        printf("%d\n", best[0]);
    }
}
