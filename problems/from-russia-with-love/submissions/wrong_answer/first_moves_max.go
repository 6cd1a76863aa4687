// Takes the best and not the worst of the k moves before our first turn.
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
		x := make([]int, n)
		for i := range x {
			fmt.Fscan(in, &x[i])
		}
		w := make([]int, n+1)
		for length := 1; length <= n; length++ {
			mine := (n-length)%m == k
			for i := 0; i+length <= n; i++ {
				left, right := w[i+1], w[i]
				if mine {
					left += x[i]
					right += x[i+length-1]
				}
				if (left > right) == (mine || n-length < k) {
					w[i] = left
				} else {
					w[i] = right
				}
			}
		}
		fmt.Println(w[0])
	}
}
