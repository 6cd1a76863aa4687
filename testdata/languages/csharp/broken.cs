class Broken {
    static void Main() {
        int n = "seven";
    }
}
