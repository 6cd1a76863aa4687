// Wrong where several poles have the same x.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    long long x, y;
} Pole;

static int by_place(const void *a, const void *b) {
    const Pole *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return 0;
}

static long long turn(Pole a, Pole b, Pole c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static Pole poles[501], hull[1002];

int main(void) {
    int n, size = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) scanf("%lld %lld", &poles[i].x, &poles[i].y);
    qsort(poles, n, sizeof(Pole), by_place);
    for (int i = 0; i < n; i++) {
        while (size >= 2 && turn(hull[size - 2], hull[size - 1], poles[i]) <= 0) size--;
        hull[size++] = poles[i];
    }
    int lower = size + 1;
    for (int i = n - 2; i >= 0; i--) {
        while (size >= lower && turn(hull[size - 2], hull[size - 1], poles[i]) <= 0) size--;
        hull[size++] = poles[i];
    }
    double sum = 0;
    for (int i = 0; i + 1 < size; i++) sum += hypot(hull[i].x - hull[i + 1].x, hull[i].y - hull[i + 1].y);
    printf("%.9f\n", sum);
}
