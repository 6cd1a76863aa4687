#include "sum.h"
#include <math.h>
#include <stdio.h>

long long read_sum(void) {
    int n;
    double x, sum = 0;
    if (scanf("%d", &n) != 1) return -1;
    while (n-- > 0 && scanf("%lf", &x) == 1) sum += floor(x);
    return (long long)sum;
}
