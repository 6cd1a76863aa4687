#include "testlib.h"
#include <map>
using namespace std;
using word = char*;
#define int long long

// The same names as in the checker: each program has its own.
int asked = 0;
void finish(int tries) { tout << tries << endl; }

signed main(signed argc, word argv[]) {
    registerInteraction(argc, argv);
    int secret = inf.readInt(1, 100);
    map<int, int> seen;
    while (true) {
        int guess = ouf.readInt(1, 100, "guess");
        ++asked, ++seen[guess];
        if (guess == secret) break;
        if (asked > 50) quitf(_wa, "too many guesses");
        cout << (guess < secret ? "greater" : "less") << endl;
    }
    cout << "right" << endl;
    finish(asked);
    quitf(_ok, "%lld guesses", asked);
}
