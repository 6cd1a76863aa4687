x <- scan(file("stdin"), quiet = TRUE)
cat(sprintf("%.0f\n", sum(x[-1][seq_len(x[1])]) + 1))
