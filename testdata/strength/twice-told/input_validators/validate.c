// Reads what is right to the byte only.
#include <stdio.h>

int main(void) {
    int letters = 0, c;
    while ((c = getchar()) >= 'a' && c <= 'z') letters++;
    return letters >= 1 && letters <= 2000 && c == '\n' && getchar() == EOF ? 42 : 43;
}
