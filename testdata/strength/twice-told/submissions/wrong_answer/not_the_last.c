// Wrong where the last letter matters.
#include <stdio.h>
#include <string.h>

static char text[2002];
static int same[2002];

int main(void) {
    scanf("%2001s", text);
    int n = strlen(text) - 1, best = 0, at = 0;
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            same[j] = text[i] == text[j] ? same[j + 1] + 1 : 0;
            int length = same[j];
            if (length > best || (best && length == best && strncmp(text + i, text + at, best) < 0)) {
                best = length;
                at = i;
            }
        }
    if (best) printf("%d %.*s\n", best, best, text + at);
    else puts("0");
}
