// @check-accepted
#include <cstdio>
#include "sum.h"
int main() {
    long a, b;
    if (scanf("%ld %ld", &a, &b) == 2) printf("%ld\n", sum(a, b));
}
