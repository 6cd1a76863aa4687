import java.util.Scanner;

public class Irene {
    static int[] coins;
    static Integer[][] memo;

    static int first(int i, int j) {
        if (i > j) {
            return 0;
        }
        if (memo[i][j] != null) {
            return memo[i][j];
        }
        int left = coins[i] + Math.min(first(i + 2, j), first(i + 1, j - 1));
        int right = coins[j] + Math.min(first(i + 1, j - 1), first(i, j - 2));
        memo[i][j] = Math.max(left, right);
        return memo[i][j];
    }

    static void readAll(Scanner in) {
        int n = in.nextInt();
        coins = new int[n];
        for (int k = 0; k < n; k++) {
            coins[k] = in.nextInt();
        }
        memo = new Integer[n][n];
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        readAll(in);
        if (coins.length == 0) {
            System.out.println(0);
        } else {
            System.out.println(first(0, coins.length - 1));
        }
    }
}
