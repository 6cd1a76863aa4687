int main(void) {
    volatile unsigned i = 0;
    for (;;) i++;
}
