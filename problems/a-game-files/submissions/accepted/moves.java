import java.io.*;

/** The same table in Java. */
class Main {
    static long solve(long[] x) {
        int n = x.length;
        long[] w = new long[n + 1];
        for (int length = 1; length <= n; length++)
            for (int i = 0; i + length <= n; i++)
                w[i] = (n - length) % 2 == 0
                    ? Math.max(x[i] + w[i + 1], x[i + length - 1] + w[i])
                    : Math.min(w[i], w[i + 1]);
        return w[0];
    }

    public static void main(String[] args) throws IOException {
        StreamTokenizer in = new StreamTokenizer(new BufferedReader(new FileReader("game1.in")));
        PrintWriter out = new PrintWriter("game1.out");
        in.nextToken();
        int n = (int) in.nval;
        long[] x = new long[n];
        for (int i = 0; i < n; i++) {
            in.nextToken();
            x[i] = (long) in.nval;
        }
        long first = solve(x), sum = 0;
        for (long v : x) sum += v;
        out.println(first + " " + (sum - first));
        out.flush();
    }
}
