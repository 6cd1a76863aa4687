// Too slow where there are many trips: tries them one by one.
#include <stdio.h>

static int first[1001], next[10001], to[10001], roads = 0, n, m;
static long long length[10001], best = -1, ways = 0;
static char here[1001];

static void add(int a, int b, long long w) {
    to[++roads] = b;
    length[roads] = w;
    next[roads] = first[a];
    first[a] = roads;
}

static void drive(int town, long long so_far) {
    if (best >= 0 && so_far > best) return;
    if (town == n) {
        if (so_far != best) ways = 0;
        best = so_far;
        ways++;
        return;
    }
    here[town] = 1;
    for (int road = first[town]; road; road = next[road])
        if (!here[to[road]]) drive(to[road], so_far + length[road]);
    here[town] = 0;
}

int main(void) {
    scanf("%d %d", &n, &m);
    while (m--) {
        int a, b;
        long long w;
        scanf("%d %d %lld", &a, &b, &w);
        add(a, b, w);
        if (a != b) add(b, a, w);
    }
    drive(1, 0);
    if (best < 0) puts("-1");
    else printf("%lld %lld\n", best, ways % 1000000007);
}
