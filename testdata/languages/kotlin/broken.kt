fun main() {
    val n: Int = "seven"
    println(n)
}
