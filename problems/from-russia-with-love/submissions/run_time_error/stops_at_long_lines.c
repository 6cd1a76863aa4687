/* Reads each line into 4096 bytes and gives up where a line is longer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[4096];

static void next_line(void) {
    if (!fgets(line, sizeof line, stdin) || !strchr(line, '\n')) exit(3);
}

int main(void) {
    next_line();
    int t = atoi(line);
    while (t--) {
        static int x[2000], w[2001];
        int n, m, k;
        next_line();
        sscanf(line, "%d %d %d", &n, &m, &k);
        next_line();
        char *at = line;
        for (int i = 0; i < n; i++) x[i] = (int)strtol(at, &at, 10);
        for (int i = 0; i <= n; i++) w[i] = 0;
        for (int length = 1; length <= n; length++)
            for (int i = 0; i + length <= n; i++) {
                int a = w[i + 1], b = w[i], mine = (n - length) % m == k;
                if (mine) {
                    a += x[i];
                    b += x[i + length - 1];
                }
                w[i] = (a > b) == mine ? a : b;
            }
        printf("%d\n", w[0]);
    }
    return 0;
}
