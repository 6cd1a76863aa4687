import java.io.*;

/** The better of the cards at even and at odd places: Anna can have them, but sometimes more. */
class Main {
    static long solve(long[] x) {
        long even = 0, odd = 0;
        for (int i = 0; i < x.length; i++)
            if (i % 2 == 0) even += x[i];
            else odd += x[i];
        return Math.max(even, odd);
    }

    public static void main(String[] args) throws IOException {
        StreamTokenizer in = new StreamTokenizer(new BufferedReader(new InputStreamReader(System.in)));
        PrintWriter out = new PrintWriter(System.out);
        in.nextToken();
        int n = (int) in.nval;
        long[] x = new long[n];
        for (int i = 0; i < n; i++) {
            in.nextToken();
            x[i] = (long) in.nval;
        }
        out.println(solve(x));
        out.flush();
    }
}
