// Written by `kopek import`: a testlib validator as an input validator. It reads
// standard input and takes `--testset NAME` and `--group NAME`, as the original does.
#include "adapter.h"

extern "C" int original_main(int, char **) __asm__("original_main");

int main(int count, char **words) {
    _exit(run(original_main, count, words, -1, 2, -1) == 0 ? ACCEPT : REFUSE);
}
