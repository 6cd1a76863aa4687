object Main extends App {
  val n = scala.io.StdIn.readLine().trim.toInt
  val numbers = scala.io.StdIn.readLine().trim.split(" ").take(n).map(_.toLong)
  println(numbers.sum + 1)
}
