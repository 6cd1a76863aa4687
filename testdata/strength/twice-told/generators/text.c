// text random N LETTERS SEED: a random text. text repeated N PART SEED: a part again and again.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long state;

static int draw(int below) {
    unsigned long long z = (state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return (int)((z ^ (z >> 31)) % (unsigned long long)below);
}

int main(int count, char **args) {
    if (count != 5) return 1;
    int n = atoi(args[2]), width = atoi(args[3]);
    state = strtoull(args[4], NULL, 10);
    int random = strcmp(args[1], "random") == 0;
    char *text = calloc(n + 1, 1);
    for (int i = 0; i < n; i++) text[i] = random || i < width ? 'a' + draw(random ? width : 26) : text[i - width];
    puts(text);
}
