int main() {
    volatile unsigned i = 0;
    for (;;) i = i + 1;
}
