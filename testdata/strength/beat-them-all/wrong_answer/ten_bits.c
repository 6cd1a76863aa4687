// Wrong where a coin is worth 1024.
#include <stdio.h>
#include <string.h>

static int x[501], best[502][502];
static char word[1000];

static int larger(int a, int b) { return a > b ? a : b; }
static int lesser(int a, int b) { return a < b ? a : b; }

int main(void) {
    int games;
    scanf("%d", &games);
    for (int game = 0; game < games; game++) {
        int n, m, k;
        scanf("%d %d %d", &n, &m, &k);
        for (int i = 0; i < n; i++) scanf("%d", &x[i]), x[i] &= 1023;
        for (int i = 0; i <= n; i++) best[0][i] = 0;
        for (int length = 1; length <= n; length++)
            for (int i = 0; i + length <= n; i++) {
                int *less = best[length - 1], left = x[i] + less[i + 1], right = x[i + length - 1] + less[i];
                best[length][i] = (n - length) % m == k ? larger(left, right) : lesser(less[i + 1], less[i]);
            }
        int i = 0, j = n - 1;
        while (scanf("%999s", word) == 1 && strcmp(word, ".") != 0) {
            for (char *c = word; *c; c++) {
                i += *c == 'L';
                j -= *c == 'R';
            }
            int *less = best[j - i];
            int is_left = x[i] + less[i + 1] >= x[j] + less[i];
            puts(is_left ? "L" : "R");
            fflush(stdout);
            if (is_left) i++;
            else j--;
        }
    }
}
