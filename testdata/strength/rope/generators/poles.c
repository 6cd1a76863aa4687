// poles random N SIZE SEED: anywhere. poles circle N SIZE SEED: nearly on a circle.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long state;

static long long draw(long long size) {
    unsigned long long z = (state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return (long long)((z ^ (z >> 31)) % (unsigned long long)(2 * size + 1)) - size;
}

int main(int count, char **args) {
    if (count != 5) return 1;
    int n = atoi(args[2]);
    long long size = atoll(args[3]);
    state = strtoull(args[4], NULL, 10);
    printf("%d\n", n);
    for (int i = 0; i < n; i++) {
        long long x = draw(size), y = draw(size);
        while (strcmp(args[1], "circle") == 0 && (x * x + y * y > size * size || 10 * (x * x + y * y) < 8 * size * size)) {
            x = draw(size);
            y = draw(size);
        }
        printf("%lld %lld\n", x, y);
    }
}
