public class Main {
    public static void main(String[] args) {
        for (int i = 1; i != 0; i |= 1) i++;
    }
}
