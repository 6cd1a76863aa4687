// Reads what is right to the byte only.
#include <stdio.h>
#include <stdlib.h>

static long long number(long long least, long long most, int end) {
    long long value = 0;
    int c = getchar(), minus = c == '-', digits = 0, first;
    if (minus) c = getchar();
    first = c;
    for (; c >= '0' && c <= '9'; c = getchar()) {
        value = value * 10 + (c - '0');
        if (++digits > 12) exit(43);
    }
    if (digits == 0 || c != end || (digits > 1 && first == '0') || (minus && first == '0')) exit(43);
    if (minus) value = -value;
    if (value < least || value > most) exit(43);
    return value;
}

int main(void) {
    long long n = number(1, 1000, ' '), m = number(0, 5000, '\n');
    while (m--) {
        number(1, n, ' ');
        number(1, n, ' ');
        number(1, 1000000000, '\n');
    }
    return getchar() == EOF ? 42 : 43;
}
