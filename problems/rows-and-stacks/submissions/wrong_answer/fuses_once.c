/* Fuses at most once for each coin. */
#include <stdio.h>
#include <stdlib.h>

static long long rest[500000], row[500000];

static int falling(const void *a, const void *b) {
    long long x = *(const long long *)a, y = *(const long long *)b;
    return (x < y) - (x > y);
}

int main(void) {
    int c, left = 0, total = 0;
    long long sum = 0, traps = 0;
    scanf("%d", &c);
    while (c--) {
        char kind;
        int len, top = 0;
        scanf(" %c %d", &kind, &len);
        for (int i = 0; i < len; i++) {
            long long v;
            scanf("%lld", &v);
            sum += v;
            if (top >= 2 && row[top - 2] <= row[top - 1] && v <= row[top - 1]) {
                v += row[top - 2] - row[top - 1];
                top -= 2;
            }
            row[top++] = v;
        }
        total += len;
        while (kind == 'S' && top >= 2 && row[top - 2] <= row[top - 1]) {
            traps += row[top - 2] - row[top - 1];
            top -= 2;
        }
        for (int i = 0; i < top; i++) rest[left++] = row[i];
    }
    qsort(rest, left, sizeof rest[0], falling);
    long long ahead = total % 2 == 0 ? traps : -traps;
    for (int i = 0; i < left; i++) ahead += i % 2 == 0 ? rest[i] : -rest[i];
    printf("%lld %lld\n", ahead, (sum + ahead) / 2);
    return 0;
}
