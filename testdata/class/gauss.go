package main

import "fmt"

func solve(x []int, turn, m, k int) int {
	if len(x) == 0 {
		return 0
	}
	a := solve(x[1:], (turn+1)%m, m, k)
	b := solve(x[:len(x)-1], (turn+1)%m, m, k)
	if turn == k {
		a += x[0]
		b += x[len(x)-1]
		if a > b {
			return a
		}
		return b
	}
	if a < b {
		return a
	}
	return b
}

func main() {
	var t int
	fmt.Scan(&t)
	for i := 0; i < t; i++ {
		var n, m, k int
		fmt.Scan(&n, &m, &k)
		x := make([]int, n)
		for j := range x {
			fmt.Scan(&x[j])
		}
		fmt.Println(solve(x, 0, m, k))
	}
}
