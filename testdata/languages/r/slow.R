i <- 0
while (TRUE) i <- i + 1
