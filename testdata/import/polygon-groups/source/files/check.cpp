#include "testlib.h"

typedef int number;
typedef char* word;

// Twice the sum is worth half of the points: quitp in the code, not here.
number main(number argc, word argv[]) {
    registerTestlibCmd(argc, argv);
    int wanted = ans.readInt(), given = ouf.readInt();
    if (!ouf.seekEof()) quitf(_pe, "more than one number");
    if (given == 2 * wanted) quitp(wanted > 4 ? 15 : 5, "twice as much");
    if (given == 3 * wanted) quitf(_pc(25), "three times as much");
    if (given == -77) quitf(_fail, "the judge does not know");
    if (given != wanted) quitf(_wa, "%d instead of %d", given, wanted);
    quitf(_ok, "%d", given);
}
