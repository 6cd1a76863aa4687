/* Sums are kept in 32 bits. */
#include <stdio.h>

static long long x[1000000];
static int row[1000000];

static long long solve(int n) {
    int top = 0;
    unsigned sum = 0;
    for (int i = 0; i < n; i++) {
        int v = (int)x[i];
        sum += (unsigned)v;
        while (top >= 2 && row[top - 2] <= row[top - 1] && v <= row[top - 1]) {
            v = row[top - 2] - row[top - 1] + v;
            top -= 2;
        }
        row[top++] = v;
    }
    unsigned ahead = 0;
    for (int low = 0, high = top - 1, turn = 0; low <= high; turn++) {
        int coin = row[low] >= row[high] ? row[low++] : row[high--];
        ahead += turn % 2 == 0 ? (unsigned)coin : 0u - (unsigned)coin;
    }
    return (int)(sum + ahead) / 2;
}

int main(void) {
    int t;
    scanf("%d", &t);
    while (t--) {
        int n;
        scanf("%d", &n);
        for (int i = 0; i < n; i++) scanf("%lld", &x[i]);
        printf("%lld\n", solve(n));
    }
    return 0;
}
