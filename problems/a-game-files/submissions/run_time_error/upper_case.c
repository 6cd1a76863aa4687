/* Looks for the input under a name in capitals. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    FILE *in = fopen("GAME1.IN", "r");
    if (!in) abort();
    return 0;
}
