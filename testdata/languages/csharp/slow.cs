class Slow {
    static void Main() {
        for (int i = 1; i != 0; i |= 1) i++;
    }
}
