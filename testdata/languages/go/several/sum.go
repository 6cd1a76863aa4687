package main

import "fmt"

func readSum() (sum int) {
	var n, x int
	fmt.Scan(&n)
	for ; n > 0; n-- {
		fmt.Scan(&x)
		sum += x
	}
	return
}
