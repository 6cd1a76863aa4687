class Crash {
    static void Main() {
        var numbers = new int[3];
        System.Console.WriteLine(numbers[numbers.Length + 4]);
    }
}
