package sums

import parts.Total

object Start {
  def main(args: Array[String]): Unit =
    println(Total.of(Iterator.continually(scala.io.StdIn.readLine()).takeWhile(_ != null).mkString(" ")))
}
