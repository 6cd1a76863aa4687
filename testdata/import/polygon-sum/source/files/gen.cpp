#include "testlib.h"
#include <cstdio>
int main(int argc, char* argv[]) {
    registerGen(argc, argv, 1);
    printf("%s %s\n", argv[1], argv[2]);
}
