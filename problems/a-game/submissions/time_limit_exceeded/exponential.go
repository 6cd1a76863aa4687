// Plain recursion in another language.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func ahead(x []int) int {
	if len(x) == 0 {
		return 0
	}
	left, right := x[0]-ahead(x[1:]), x[len(x)-1]-ahead(x[:len(x)-1])
	if left > right {
		return left
	}
	return right
}

func solve(x []int) int {
	sum := 0
	for _, v := range x {
		sum += v
	}
	return (sum + ahead(x)) / 2
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
