import java.io.*;

/** The others are taken to be selfish, each out for the greatest pile of their own, not hostile. */
class Main {
    static StreamTokenizer in = new StreamTokenizer(new BufferedInputStream(System.in));

    static int next() throws IOException {
        in.nextToken();
        return (int) in.nval;
    }

    public static void main(String[] args) throws IOException {
        int t = next();
        while (t-- > 0) {
            int n = next(), m = next(), k = next();
            int[] x = new int[n];
            for (int i = 0; i < n; i++) x[i] = next();
            // own[i]: what the one on move ends with; ours[d]: what a player d turns later ends with
            int[][] later = new int[m][n + 1];
            for (int length = 1; length <= n; length++) {
                int[][] next = new int[m][n + 1];
                for (int i = 0; i + length <= n; i++) {
                    int left = x[i] + later[m - 1][i + 1], right = x[i + length - 1] + later[m - 1][i];
                    int to = left >= right ? i + 1 : i;
                    next[0][i] = Math.max(left, right);
                    for (int d = 1; d < m; d++) next[d][i] = later[d - 1][to];
                }
                later = next;
            }
            System.out.println(later[k][0]);
        }
    }
}
