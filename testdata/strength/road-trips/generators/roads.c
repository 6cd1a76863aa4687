// roads random N M LENGTH SEED: M roads between any towns.
// roads chain N M LENGTH SEED: towns in a row, M roads of one length between neighbours.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long state;

static long long draw(long long most) {
    unsigned long long z = (state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return (long long)((z ^ (z >> 31)) % (unsigned long long)most) + 1;
}

int main(int count, char **args) {
    if (count != 6) return 1;
    long long n = atoll(args[2]), m = atoll(args[3]), length = atoll(args[4]);
    state = strtoull(args[5], NULL, 10);
    if (strcmp(args[1], "random") == 0) {
        printf("%lld %lld\n", n, m);
        for (int i = 0; i < m; i++) printf("%lld %lld %lld\n", draw(n), draw(n), draw(length));
        return 0;
    }
    printf("%lld %lld\n", n, (n - 1) * m);
    for (int town = 1; town < n; town++) {
        long long same = draw(length);
        for (int i = 0; i < m; i++) printf("%d %d %lld\n", town, town + 1, same);
    }
}
