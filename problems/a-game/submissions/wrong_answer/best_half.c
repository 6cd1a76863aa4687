/* The greater half of all numbers. */
#include <stdio.h>
#include <stdlib.h>

static int x[100];

static int falling(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }

int main(void) {
    int n, half = 0, sum = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) scanf("%d", &x[i]);
    qsort(x, n, sizeof *x, falling);
    for (int i = 0; i < n; i++) {
        sum += x[i];
        if (i < (n + 1) / 2) half += x[i];
    }
    printf("%d %d\n", half, sum - half);
    return 0;
}
