#include "testlib.h"
#define int long long

int32_t main(int32_t argc, char* argv[]) {
    registerValidation(argc, argv);
    int most = validator.group() == "2" ? 1000 : 10;
    inf.readInt(0, most, "a");
    inf.readSpace();
    inf.readInt(0, 1000, "b");
    inf.readEoln();
    inf.readEof();
}
