// Never ends where two corners are at the same place.
#include <math.h>
#include <stdio.h>

static long long x[501], y[501];

int main(void) {
    int n, start = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%lld %lld", &x[i], &y[i]);
        if (x[i] < x[start] || (x[i] == x[start] && y[i] < y[start])) start = i;
    }
    double sum = 0;
    int at = start;
    do {
        int to = (at + 1) % n;
        for (int i = 0; i < n; i++) {
            long long t = (x[to] - x[at]) * (y[i] - y[at]) - (y[to] - y[at]) * (x[i] - x[at]);
            double farther = hypot(x[i] - x[at], y[i] - y[at]) - hypot(x[to] - x[at], y[to] - y[at]);
            if (t < 0 || (t == 0 && farther > 0)) to = i;
        }
        sum += hypot(x[to] - x[at], y[to] - y[at]);
        at = to;
    } while (at != start);
    printf("%.9f\n", sum);
}
