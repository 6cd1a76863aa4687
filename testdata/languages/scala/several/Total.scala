package sums.parts

object Total {
  def of(text: String): Long = text.trim.split(" ").drop(1).map(_.toLong).sum
}
