#include "testlib.h"
#include "most.h"

int main(int argc, char* argv[]) {
    registerGen(argc, argv, 1);
    int most = least(atoi(argv[1]), MOST);
    printf("%d %d\n", rnd.next(0, most), rnd.next(0, most));
}
