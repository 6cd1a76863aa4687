/* @check-time-limit-exceeded: * */
int main() {
    volatile int x = 0;
    for (;;) x = x + 1;
}
