#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    char line[100], again[100];
    FILE *in = fopen(argv[1], "r");
    int a, b, least = atoi(argv[2]);
    if (!in || least < 1 || !fgets(line, 100, in) || getc(in) != EOF) return 1;
    if (sscanf(line, "%d %d", &a, &b) != 2) return 1;
    sprintf(again, "%d %d\n", a, b);
    return strcmp(line, again) != 0;
}
