#include <cstdio>
#include <cstring>
#include <cstdlib>
int main() {
    size_t size = size_t(512) << 20;
    char* all = (char*)malloc(size);
    if (!all) abort();
    for (size_t at = 0; at < size; at += 4096) *(volatile char*)(all + at) = 1;
    printf("%d\n", all[size / 2]);
}
