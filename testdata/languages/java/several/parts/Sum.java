package parts;

import java.io.InputStream;
import java.util.Scanner;

public class Sum {
    private long value;

    public Sum(InputStream stream) {
        Scanner in = new Scanner(stream);
        for (int n = in.nextInt(); n > 0; n--) value += in.nextInt();
    }

    public long value() {
        return value;
    }
}
