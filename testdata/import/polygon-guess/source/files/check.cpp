#include "testlib.h"
#include <algorithm>
using namespace std;

long long asked;
int finish() { return ouf.readInt(); }

int main(int argc, char** argv) {
    registerTestlibCmd(argc, argv);
    asked = finish();
    if (asked > 7) quitf(_wa, "%lld guesses, 7 are enough", asked);
    quitf(_ok, "%lld guesses", min(asked, 7LL));
}
