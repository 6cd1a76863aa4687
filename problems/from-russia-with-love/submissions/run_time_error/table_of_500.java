import java.io.*;

/** Room for 499 coins. */
class Main {
    public static void main(String[] args) throws IOException {
        StreamTokenizer in = new StreamTokenizer(new BufferedInputStream(System.in));
        in.nextToken();
        int t = (int) in.nval;
        int[][] w = new int[500][500];
        while (t-- > 0) {
            in.nextToken();
            int n = (int) in.nval;
            in.nextToken();
            int m = (int) in.nval;
            in.nextToken();
            int k = (int) in.nval;
            int[] x = new int[n];
            for (int i = 0; i < n; i++) {
                in.nextToken();
                x[i] = (int) in.nval;
            }
            for (int i = 0; i <= n; i++) w[i][i] = 0;
            for (int length = 1; length <= n; length++)
                for (int i = 0, j = length; j <= n; i++, j++)
                    w[i][j] = (n - length) % m == k
                        ? Math.max(x[i] + w[i + 1][j], x[j - 1] + w[i][j - 1])
                        : Math.min(w[i + 1][j], w[i][j - 1]);
            System.out.println(w[0][n]);
        }
    }
}
