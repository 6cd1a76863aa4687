cat("seven
