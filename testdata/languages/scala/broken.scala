object Main {
  def main(args: Array[String]): Unit = {
    val n: Int = "seven"
    println(n)
  }
}
