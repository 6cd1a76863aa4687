// Both games in Go.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func play(x []int, help bool) int {
	n := len(x)
	w := make([]int, n+1)
	for length := 1; length <= n; length++ {
		mine := (n-length)%2 == 0
		for i := 0; i+length <= n; i++ {
			left, right := w[i+1], w[i]
			if mine {
				left += x[i]
				right += x[i+length-1]
			}
			if (left > right) == (mine || help) {
				w[i] = left
			} else {
				w[i] = right
			}
		}
	}
	return w[0]
}

func helped(x []int) int { return play(x, true) }

func hostile(x []int) int { return play(x, false) }

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var t int
	fmt.Fscan(in, &t)
	for ; t > 0; t-- {
		var n int
		fmt.Fscan(in, &n)
		x := make([]int, n)
		for i := range x {
			fmt.Fscan(in, &x[i])
		}
		fmt.Fprintln(out, helped(x), hostile(x))
	}
}
