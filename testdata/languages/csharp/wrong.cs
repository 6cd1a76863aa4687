using System;
using System.Linq;

class Sum {
    static void Main() {
        int n = int.Parse(Console.ReadLine());
        long sum = Console.ReadLine().Split(' ').Take(n).Select(long.Parse).Sum();
        Console.WriteLine(sum + 1);
    }
}
