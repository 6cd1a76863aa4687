/* Takes the last coin always, and keeps its words in a buffer: the judge waits for them in vain. */
#include <stdio.h>

int main(void) {
    static char buffer[1 << 20], word[1024];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    int games, n, m, k, coin;
    scanf("%d", &games);
    while (games--) {
        scanf("%d %d %d", &n, &m, &k);
        for (int i = 0; i < n; i++) scanf("%d", &coin);
        while (scanf("%1023s", word) == 1 && word[0] != '.') printf("R\n");
    }
    return 0;
}
