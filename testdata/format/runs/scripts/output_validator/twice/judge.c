#include <stdio.h>

int main(int argc, char **argv) {
    int given, reply;
    FILE *input = fopen(argv[1], "r");
    if (fscanf(input, "%d", &given) != 1) return 1;
    return scanf("%d", &reply) == 1 && reply == 2 * given ? 42 : 43;
}
