import scala.io.StdIn

object Sum {
  def main(args: Array[String]): Unit = {
    val n = StdIn.readLine().trim.toInt
    val numbers = StdIn.readLine().trim.split(" ").take(n).map(_.toLong)
    println(numbers.sum)
  }
}
