public class Once {
    public static void main(String[] args) {
        System.out.println(new java.util.Scanner(System.in).nextInt());
    }
}
