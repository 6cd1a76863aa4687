import parts.Sum;

public class Main {
    public static void main(String[] args) {
        System.out.println(new Sum(System.in).value());
    }
}
