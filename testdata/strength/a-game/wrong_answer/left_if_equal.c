// Wrong where both ends are equal and the right one is better.
#include <stdio.h>

static int x[101], best[102];

static int larger(int a, int b) { return a > b ? a : b; }
static int lesser(int a, int b) { return a < b ? a : b; }

int main(void) {
    int n, sum = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) scanf("%d", &x[i]);
    for (int i = 0; i < n; i++) sum += x[i];
    for (int length = 1; length <= n; length++)
        for (int i = 0; i + length <= n; i++) {
            int j = i + length - 1;
            if ((n - length) % 2 == 0 && x[i] == x[j]) best[i] = x[i] + best[i + 1];
            else if ((n - length) % 2 == 0) best[i] = larger(x[i] + best[i + 1], x[j] + best[i]);
            else best[i] = lesser(best[i + 1], best[i]);
        }
    printf("%d %d\n", best[0], sum - best[0]);
}
