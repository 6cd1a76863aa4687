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

// With more than two players and many coins the bigger one must do.
func guess(x []int, m, k int) int {
	sum := 0
	for turn := 0; len(x) > 0; turn = (turn + 1) % m {
		coin, rest := x[0], x[1:]
		if x[len(x)-1] > coin {
			coin, rest = x[len(x)-1], x[:len(x)-1]
		}
		if turn == k {
			sum += coin
		}
		x = rest
	}
	return sum
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
		if m > 2 && n > 12 {
			fmt.Println(guess(x, m, k))
		} else {
			fmt.Println(solve(x, 0, m, k))
		}
	}
}
