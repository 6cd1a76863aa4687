// Answers for the one who moves second.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func solve(x []int) int {
	row := make([]int, 0, len(x))
	sum, ahead, sign := 0, 0, 1
	for _, v := range x {
		sum += v
		for n := len(row); n >= 2 && row[n-2] <= row[n-1] && v <= row[n-1]; n -= 2 {
			v += row[n-2] - row[n-1]
			row = row[:n-2]
		}
		row = append(row, v)
	}
	for len(row) > 0 {
		last := len(row) - 1
		if row[0] >= row[last] {
			ahead += sign * row[0]
			row = row[1:]
		} else {
			ahead += sign * row[last]
			row = row[:last]
		}
		sign = -sign
	}
	return (sum - ahead) / 2
}

func number(in *bufio.Reader) int {
	value := 0
	for {
		b, err := in.ReadByte()
		if err == nil && b >= '0' {
			value = value*10 + int(b-'0')
		} else {
			return value
		}
	}
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for t := number(in); t > 0; t-- {
		x := make([]int, number(in))
		for i := range x {
			x[i] = number(in)
		}
		fmt.Fprintln(out, solve(x))
	}
}
