// Wrong where several poles are lowest.
#include <math.h>
#include <stdio.h>

typedef struct {
    long long x, y;
} Pole;

static Pole poles[501], hull[502];

static long long turn(Pole a, Pole b, Pole c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static int is_before(Pole a, Pole b) {
    long long t = turn(poles[0], a, b);
    if (t != 0) return t > 0;
    Pole o = poles[0];
    return hypot(a.x - o.x, a.y - o.y) < hypot(b.x - o.x, b.y - o.y);
}

int main(void) {
    int n, size = 0, start = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%lld %lld", &poles[i].x, &poles[i].y);
        if (poles[i].y < poles[start].y) start = i;
    }
    Pole lowest = poles[start];
    poles[start] = poles[0];
    poles[0] = lowest;
    for (int i = 1; i < n; i++)
        for (int j = i; j > 1 && is_before(poles[j], poles[j - 1]); j--) {
            Pole other = poles[j];
            poles[j] = poles[j - 1];
            poles[j - 1] = other;
        }
    for (int i = 0; i < n; i++) {
        while (size >= 2 && turn(hull[size - 2], hull[size - 1], poles[i]) <= 0) size--;
        hull[size++] = poles[i];
    }
    double sum = 0;
    for (int i = 0; i < size; i++) {
        Pole a = hull[i], b = hull[(i + 1) % size];
        sum += hypot(a.x - b.x, a.y - b.y);
    }
    printf("%.9f\n", sum);
}
