import java.util.ArrayList;

class Hungry {
    public static void main(String[] args) {
        ArrayList<long[]> eaten = new ArrayList<>();
        while (true) eaten.add(new long[1 << 17]);
    }
}
