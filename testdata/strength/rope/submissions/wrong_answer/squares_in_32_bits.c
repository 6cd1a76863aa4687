// Wrong where a side is longer than 65535.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    long long x, y;
} Pole;

static int by_place(const void *a, const void *b) {
    const Pole *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

static long long turn(Pole a, Pole b, Pole c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static double side(Pole a, Pole b) {
    long long x = a.x - b.x, y = a.y - b.y;
    return sqrt((unsigned)(x * x + y * y));
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
    for (int i = 0; i + 1 < size; i++) sum += side(hull[i], hull[i + 1]);
    printf("%.9f\n", sum);
}
