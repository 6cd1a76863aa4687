// The same table in Go.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func solve(x []int) int {
	n := len(x)
	w := make([]int, n+1)
	for length := 1; length <= n; length++ {
		for i := 0; i+length <= n; i++ {
			left, right := w[i+1], w[i]
			mine := (n-length)%2 == 0
			if mine {
				left += x[i]
				right += x[i+length-1]
			}
			if (left > right) == mine {
				w[i] = left
			} else {
				w[i] = right
			}
		}
	}
	return w[0]
}

func main() {
	in := bufio.NewReader(os.Stdin)
	var n int
	fmt.Fscan(in, &n)
	x := make([]int, n)
	sum := 0
	for i := range x {
		fmt.Fscan(in, &x[i])
		sum += x[i]
	}
	first := solve(x)
	fmt.Println(first, sum-first)
}
