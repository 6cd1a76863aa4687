// The difference of both scores.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func solve(x []int) int {
	n, sum := len(x), 0
	w := make([]int, n+1)
	for length := 1; length <= n; length++ {
		for i := 0; i+length <= n; i++ {
			left, right := x[i]-w[i+1], x[i+length-1]-w[i]
			if left > right {
				w[i] = left
			} else {
				w[i] = right
			}
		}
	}
	for _, v := range x {
		sum += v
	}
	return (sum + w[0]) / 2
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var n int
	fmt.Fscan(in, &n)
	x := make([]int, n)
	for i := range x {
		fmt.Fscan(in, &x[i])
	}
	fmt.Fprintln(out, solve(x))
}
