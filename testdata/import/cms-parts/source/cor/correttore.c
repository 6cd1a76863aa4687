#include <stdio.h>

typedef char *word;

/* Half of the points for a sum that is one too large. */
int main(int argc, word argv[]) {
    FILE *right = fopen(argv[2], "r"), *given = fopen(argv[3], "r");
    int wanted = 0, said = 0;
    fscanf(right, "%d", &wanted);
    if (fscanf(given, "%d", &said) != 1) said = -1;
    fprintf(stderr, said == wanted ? "translate:success\n" : "%d, not %d\n", said, wanted);
    printf("%s\n", said == wanted ? "1.0" : said == wanted + 1 ? "0.5" : "0.0");
    return 0;
}
