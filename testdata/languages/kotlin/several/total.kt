fun total(text: String): Long = text.trim().split(" ").drop(1).map { it.toLong() }.sum()
