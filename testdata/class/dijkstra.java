import java.util.*;

// works for the last player of at most three
class Main {
    static int[] x;
    static int[][] memo;

    static int go(int i, int j, int m) {
        if (j - i < m) return 0;
        if (memo[i][j] >= 0) return memo[i][j];
        int worst = Integer.MAX_VALUE;
        for (int h = 0; h < m; h++) {
            int a = i + h, b = j - (m - 1 - h);
            int best = Math.max(x[a] + go(a + 1, b, m), x[b - 1] + go(a, b - 1, m));
            worst = Math.min(worst, best);
        }
        return memo[i][j] = worst;
    }

    public static void main(String[] args) {
        Scanner sc = new Scanner(System.in);
        int t = sc.nextInt();
        while (t-- > 0) {
            int n = sc.nextInt(), m = sc.nextInt(), k = sc.nextInt();
            x = new int[n];
            for (int i = 0; i < n; i++) x[i] = sc.nextInt();
            memo = new int[n + 1][n + 1];
            for (int[] row : memo) Arrays.fill(row, -1);
            System.out.println(go(0, n, Math.min(m, 3)));
        }
    }
}
