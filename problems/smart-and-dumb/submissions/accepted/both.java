import java.io.*;

/** Both games in Java. */
class Main {
    static long play(long[] x, boolean help) {
        int n = x.length;
        long[] w = new long[n + 1];
        for (int length = 1; length <= n; length++)
            for (int i = 0; i + length <= n; i++) {
                if ((n - length) % 2 == 0) w[i] = Math.max(x[i] + w[i + 1], x[i + length - 1] + w[i]);
                else w[i] = help ? Math.max(w[i], w[i + 1]) : Math.min(w[i], w[i + 1]);
            }
        return w[0];
    }

    static long helped(long[] x) {
        return play(x, true);
    }

    static long hostile(long[] x) {
        return play(x, false);
    }

    public static void main(String[] args) throws IOException {
        StreamTokenizer in = new StreamTokenizer(new BufferedReader(new InputStreamReader(System.in)));
        PrintWriter out = new PrintWriter(System.out);
        in.nextToken();
        int t = (int) in.nval;
        while (t-- > 0) {
            in.nextToken();
            int n = (int) in.nval;
            long[] x = new long[n];
            for (int i = 0; i < n; i++) {
                in.nextToken();
                x[i] = (long) in.nval;
            }
            out.println(helped(x) + " " + hostile(x));
        }
        out.flush();
    }
}
