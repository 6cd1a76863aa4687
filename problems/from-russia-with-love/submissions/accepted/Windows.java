import java.io.*;
import java.util.*;

/** Layers with the two-pass block minima of van Herk: no queue needed. */
class Main {
    static int guaranteed(int[] x, int m, int k) {
        int n = x.length;
        if (n <= k) return 0;
        int length = (n - k - 1) % m + 1;
        int[] w = new int[n - length + 1];
        for (int i = 0; i < w.length; i++) w[i] = Math.max(x[i], x[i + length - 1]);
        for (length += m; length <= n - k; length += m) {
            int[] least = minima(w, m);
            int[] next = new int[n - length + 1];
            for (int i = 0; i < next.length; i++)
                next[i] = Math.max(x[i] + least[i + 1], x[i + length - 1] + least[i]);
            w = next;
        }
        int worst = w[0];
        for (int i = 1; i <= k; i++) worst = Math.min(worst, w[i]);
        return worst;
    }

    static int[] minima(int[] w, int m) {
        int n = w.length;
        int[] ahead = new int[n], behind = new int[n], least = new int[n - m + 1];
        for (int i = 0; i < n; i++) ahead[i] = i % m == 0 ? w[i] : Math.min(ahead[i - 1], w[i]);
        for (int i = n - 1; i >= 0; i--)
            behind[i] = i == n - 1 || (i + 1) % m == 0 ? w[i] : Math.min(behind[i + 1], w[i]);
        for (int i = 0; i < least.length; i++) least[i] = Math.min(behind[i], ahead[i + m - 1]);
        return least;
    }

    public static void main(String[] args) throws IOException {
        StreamTokenizer in = new StreamTokenizer(new BufferedReader(new InputStreamReader(System.in)));
        in.nextToken();
        int t = (int) in.nval;
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
            System.out.println(guaranteed(x, m, k));
        }
    }
}
