import java.util.*;

/** The others think, we just take the larger end. */
class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(new java.io.BufferedInputStream(System.in));
        int t = in.nextInt();
        while (t-- > 0) {
            int n = in.nextInt(), m = in.nextInt(), k = in.nextInt();
            int[] x = new int[n], w = new int[n + 1];
            for (int i = 0; i < n; i++) x[i] = in.nextInt();
            for (int length = 1; length <= n; length++)
                for (int i = 0; i + length <= n; i++) {
                    int first = x[i], last = x[i + length - 1];
                    if ((n - length) % m == k) w[i] = first >= last ? first + w[i + 1] : last + w[i];
                    else w[i] = Math.min(w[i], w[i + 1]);
                }
            System.out.println(w[0]);
        }
    }
}
