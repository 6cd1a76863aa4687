#include "testlib.h"
#include <algorithm>
#include <cstdint>
using namespace std;
#define int long long

int asked;
int finish() { return ouf.readInt(); }

int32_t main(int32_t argc, char** argv) {
    registerTestlibCmd(argc, argv);
    asked = finish();
    if (asked > 7) quitf(_wa, "%lld guesses, 7 are enough", asked);
    quitf(_ok, "%lld guesses", min<int>(asked, 7));
}
