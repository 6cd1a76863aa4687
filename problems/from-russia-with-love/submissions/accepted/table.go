// Bottom-up over all intervals in a full table: O(n^2) time and memory.
package main

import (
	"bufio"
	"fmt"
	"os"
)

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
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var t int
	fmt.Fscan(in, &t)
	for ; t > 0; t-- {
		var n, m, k int
		fmt.Fscan(in, &n, &m, &k)
		x := make([]int32, n)
		for i := range x {
			fmt.Fscan(in, &x[i])
		}
		w := make([][]int32, n+1)
		for i := range w {
			w[i] = make([]int32, n+1)
		}
		for length := 1; length <= n; length++ {
			mine := (n-length)%m == k
			for i := 0; i+length <= n; i++ {
				j := i + length
				if mine {
					w[i][j] = max(x[i]+w[i+1][j], x[j-1]+w[i][j-1])
				} else {
					w[i][j] = min(w[i+1][j], w[i][j-1])
				}
			}
		}
		fmt.Fprintln(out, w[0][n])
	}
}
