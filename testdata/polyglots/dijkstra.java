import java.io.*;
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

    static StreamTokenizer in = new StreamTokenizer(new BufferedReader(new InputStreamReader(System.in)));

    static int next() throws IOException {
        in.nextToken();
        return (int) in.nval;
    }

    public static void main(String[] args) throws IOException {
        int t = next();
        while (t-- > 0) {
            int n = next(), m = next(), k = next();
            x = new int[n];
            for (int i = 0; i < n; i++) x[i] = next();
            memo = new int[n + 1][n + 1];
            for (int[] row : memo) Arrays.fill(row, -1);
            System.out.println(go(0, n, Math.min(m, 3)));
        }
    }
}
