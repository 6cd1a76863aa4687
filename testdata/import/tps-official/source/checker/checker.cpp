#include "testlib.h"

int main(int argc, char *argv[]) {
    registerTestlibCmd(argc, argv);
    int n = inf.readInt(), right = ans.readInt(), given = ouf.readInt();
    if (right != 2 * n) quitf(_fail, "files in another order");
    if (given == right) quitf(_ok, "twice");
    if (given == n) quitp(0.25, "once");
    quitf(_wa, "another number");
}
