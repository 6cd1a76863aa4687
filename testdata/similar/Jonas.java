import java.io.*;
import java.util.*;

class Jonas {
    public static void main(String[] arguments) throws IOException {
        StreamTokenizer tokens = new StreamTokenizer(new BufferedReader(new InputStreamReader(System.in)));
        tokens.nextToken();
        final int size = (int) tokens.nval;
        long[] value = new long[size], difference = new long[size];
        long everything = 0;
        for (int at = 0; at != size; ++at) {
            tokens.nextToken();
            difference[at] = value[at] = (long) tokens.nval;
            everything += value[at];
        }
        for (int gap = 1; gap < size; gap++)
            for (int at = 0, end = gap; end < size; at++, end++)
                difference[at] = Math.max(value[at] - difference[at + 1], value[end] - difference[at]);
        System.out.println(size == 0 ? 0 : everything + difference[0] >> 1);
    }
}
