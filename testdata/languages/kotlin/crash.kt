fun main() {
    val numbers = IntArray(3)
    println(numbers[numbers.size + 4])
}
