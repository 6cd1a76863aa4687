// Tells whether a guess is too small or too large; more than ten guesses are worth half.
#include <cstdio>

int main(int, char **argv) {
    int n, guess, count = 0;
    FILE *in = std::fopen(argv[1], "r"), *out = fopen(argv[2], "w");
    if (!in || !out || std::scanf("%d", &n) != 1) return 3;
    do {
        if (std::fscanf(in, "%d", &guess) != 1) {
            std::printf("0\n");
            std::fprintf(stderr, "Protocol Violation\nno guess\n");
            return 0;
        }
        std::fprintf(out, "%d\n", guess < n ? -1 : guess > n);
        std::fflush(out);
        count++;
    } while (guess != n);
    std::printf("%.2f\n", count <= 10 ? 1.0 : 0.5);
    std::fprintf(stderr, "Output is correct\n");
}
