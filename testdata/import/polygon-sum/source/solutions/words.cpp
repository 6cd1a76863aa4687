#include <cstdio>
int main() {
    int a, b;
    scanf("%d %d", &a, &b);
    printf("sum %d\n", a + b);
}
