// Plays one game and leaves.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	var games, n, m, k int
	fmt.Fscan(in, &games, &n, &m, &k)
	x := make([]int, n)
	for i := range x {
		fmt.Fscan(in, &x[i])
	}
	w := make([][]int, n+1)
	w[0] = make([]int, n+1)
	for length := 1; length <= n; length++ {
		w[length] = make([]int, n+1)
		for i := 0; i+length <= n; i++ {
			left, right := w[length-1][i+1], w[length-1][i]
			mine := (n-length)%m == k
			if mine {
				left += x[i]
				right += x[i+length-1]
			}
			if (left > right) == mine {
				w[length][i] = left
			} else {
				w[length][i] = right
			}
		}
	}
	i, j := 0, n-1
	for {
		var others string
		fmt.Fscan(in, &others)
		if others == "." || others == "" {
			return
		}
		for _, c := range others {
			if c == 'L' {
				i++
			}
			if c == 'R' {
				j--
			}
		}
		if x[i]+w[j-i][i+1] >= x[j]+w[j-i][i] {
			fmt.Println("L")
			i++
		} else {
			fmt.Println("R")
			j--
		}
	}
}
