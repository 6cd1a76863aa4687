NR == 2 { for (i = 1; i <= n; i++) sum += $i; print sum + 1 }
NR == 1 { n = $1 }
