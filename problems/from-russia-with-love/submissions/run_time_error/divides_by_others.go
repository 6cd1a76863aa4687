// Counts rounds by the number of the others, which is 0 when there is one player.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	var t int
	fmt.Fscan(in, &t)
	for ; t > 0; t-- {
		var n, m, k int
		fmt.Fscan(in, &n, &m, &k)
		others := m - 1
		x := make([]int, n, n+n%others)
		for i := range x {
			fmt.Fscan(in, &x[i])
		}
		w := make([]int, n+1)
		for length := 1; length <= n; length++ {
			for i := 0; i+length <= n; i++ {
				left, right := w[i+1], w[i]
				mine := (n-length)%m == k
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
		fmt.Println(w[0])
	}
}
