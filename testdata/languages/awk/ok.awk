NR == 2 { for (i = 1; i <= n; i++) sum += $i; print sum + 0 }
NR == 1 { n = $1 }
