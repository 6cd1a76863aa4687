// @check-accepted: small
// @check-wrong-answer: large
#include <cstdio>
int main() {
    int a, b;
    scanf("%d %d", &a, &b);
    printf("%d\n", a > 100 ? 0 : a + b);
}
