object Main {
  def main(args: Array[String]): Unit = {
    val numbers = new Array[Int](3)
    println(numbers(numbers.length + 4))
  }
}
