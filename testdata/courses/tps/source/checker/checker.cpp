// The square is right; the side alone is worth half.
#include "testlib.h"

int main(int argc, char **argv) {
    registerChecker("steps", argc, argv);
    long long side, square, given;
    if (!(inf >> side) || !(ans >> square) || square != side * side) quit(_fail, "files in another order");
    if (!(ouf >> given)) quit(_wa, "no number");
    if (given == square) quit(_ok);
    if (given == side) quitp(0.5);
    if (given == 0) quitp(0);
    quit(_wa, "another number");
}
