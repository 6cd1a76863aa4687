import java.io.*;
import java.util.*;

/** Prints the advantage twice, not the sum of the coins. */
class Main {
    public static void main(String[] args) throws IOException {
        StreamTokenizer in = new StreamTokenizer(new BufferedInputStream(System.in));
        in.nextToken();
        int c = (int) in.nval;
        long[] rest = new long[500000], row = new long[500000];
        int left = 0, total = 0;
        long sum = 0, traps = 0;
        while (c-- > 0) {
            in.nextToken();
            boolean stack = in.sval.equals("S");
            in.nextToken();
            int len = (int) in.nval, top = 0;
            for (int i = 0; i < len; i++) {
                in.nextToken();
                long v = (long) in.nval;
                sum += v;
                while (top >= 2 && row[top - 2] <= row[top - 1] && v <= row[top - 1]) {
                    v += row[top - 2] - row[top - 1];
                    top -= 2;
                }
                row[top++] = v;
            }
            total += len;
            while (stack && top >= 2 && row[top - 2] <= row[top - 1]) {
                traps += row[top - 2] - row[top - 1];
                top -= 2;
            }
            for (int i = 0; i < top; i++) rest[left++] = row[i];
        }
        Arrays.sort(rest, 0, left);
        long ahead = total % 2 == 0 ? traps : -traps;
        for (int i = left - 1, sign = 1; i >= 0; i--, sign = -sign) ahead += sign * rest[i];
        System.out.println(ahead + " " + ahead);
    }
}
