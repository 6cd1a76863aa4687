import java.io.*;

/** Fuses at most once for each coin that comes. */
class Main {
    static long solve(long[] x) {
        long[] row = new long[x.length];
        int n = 0;
        long sum = 0, ahead = 0;
        for (long v : x) {
            sum += v;
            if (n >= 2 && row[n - 2] <= row[n - 1] && v <= row[n - 1]) {
                v = row[n - 2] - row[n - 1] + v;
                n -= 2;
            }
            row[n++] = v;
        }
        for (int low = 0, high = n - 1, sign = 1; low <= high; sign = -sign)
            ahead += sign * (row[low] >= row[high] ? row[low++] : row[high--]);
        return (sum + ahead) / 2;
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
            out.println(solve(x));
        }
        out.flush();
    }
}
