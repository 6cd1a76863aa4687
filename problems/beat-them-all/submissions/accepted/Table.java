import java.util.*;

/** The table in Java. */
class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int games = in.nextInt();
        while (games-- > 0) {
            int n = in.nextInt(), m = in.nextInt(), k = in.nextInt();
            int[] x = new int[n];
            for (int i = 0; i < n; i++) x[i] = in.nextInt();
            int[][] w = new int[n + 1][n + 1];
            for (int length = 1; length <= n; length++)
                for (int i = 0; i + length <= n; i++)
                    w[length][i] = (n - length) % m == k
                        ? Math.max(x[i] + w[length - 1][i + 1], x[i + length - 1] + w[length - 1][i])
                        : Math.min(w[length - 1][i + 1], w[length - 1][i]);
            int i = 0, j = n - 1;
            while (true) {
                String others = in.next();
                if (others.equals(".")) break;
                for (char c : others.toCharArray()) {
                    if (c == 'L') i++;
                    if (c == 'R') j--;
                }
                if (x[i] + w[j - i][i + 1] >= x[j] + w[j - i][i]) {
                    System.out.println("L");
                    i++;
                } else {
                    System.out.println("R");
                    j--;
                }
                System.out.flush();
            }
        }
    }
}
