@main
struct Sum {
    static func main() {
        let n = Int(readLine()!)!
        let numbers = readLine()!.split(separator: " ").prefix(n).map { Int($0)! }
        print(numbers.reduce(0, +) + 1)
    }
}
