import java.util.Scanner;

public class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int n = in.nextInt();
        long sum = 0;
        while (n-- > 0) sum += in.nextInt();
        System.out.println(sum);
    }
}
