fun main() {
    println(total(generateSequence(::readLine).joinToString(" ")))
}
