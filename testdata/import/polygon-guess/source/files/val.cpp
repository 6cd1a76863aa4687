#include "testlib.h"
int main() {
    registerValidation();
    inf.readInt(1, 100, "secret");
    inf.readEoln();
    inf.readEof();
}
