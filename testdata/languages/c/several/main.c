#include <stdio.h>
#include "parts/sum.h"

int main(void) {
    printf("%lld\n", read_sum());
    return 0;
}
