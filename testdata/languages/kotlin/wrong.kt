fun main() {
    val n = readLine()!!.trim().toInt()
    val sum = readLine()!!.trim().split(" ").take(n).map { it.toLong() }.sum()
    println(sum + 1)
}
