class Helper {
    static int[] numbers = new int[3];
}

class Start {
    public static void main(String[] args) {
        System.out.println(Helper.numbers[7]);
    }
}
