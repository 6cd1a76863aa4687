object Main {
  def main(args: Array[String]): Unit = {
    var i = 1
    while (i != 0) i = (i + 1) | 1
  }
}
