#include <cstdio>
#include <algorithm>

static const int LIMIT = 5000;
static int value[LIMIT];
static int lead[LIMIT];

int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    int total = 0;
    for (int k = 0; k < n; ++k) {
        if (scanf("%d", value + k) != 1) return 1;
        total += value[k];
        lead[k] = value[k];
    }
    // lead[i]: by how much the player to move wins on the coins i .. i + width
    for (int width = 1; width < n; ++width)
        for (int i = 0; i + width < n; ++i)
            lead[i] = std::max(value[i] - lead[i + 1], value[i + width] - lead[i]);
    if (n == 0) lead[0] = 0;
    printf("%d\n", (total + lead[0]) / 2);
}
