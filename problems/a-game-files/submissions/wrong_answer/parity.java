import java.io.*;

/** The better of the numbers at even and at odd places. */
class Main {
    static long solve(long[] x) {
        long even = 0, odd = 0;
        for (int i = 0; i < x.length; i++)
            if (i % 2 == 0) even += x[i];
            else odd += x[i];
        return Math.max(even, odd);
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
