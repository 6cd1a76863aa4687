object Hungry {
  def main(args: Array[String]): Unit = {
    var eaten = List.empty[Array[Long]]
    while (true) eaten = new Array[Long](1 << 17) :: eaten
  }
}
