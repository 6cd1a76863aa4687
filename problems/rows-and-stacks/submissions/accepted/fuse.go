// Peaks fused, traps set aside, the rest sorted, in Go.
package main

import (
	"bufio"
	"fmt"
	"os"
	"sort"
	"strconv"
)

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Split(bufio.ScanWords)
	word := func() string {
		in.Scan()
		return in.Text()
	}
	number := func() int {
		value, _ := strconv.Atoi(word())
		return value
	}
	var rest, row []int
	total, sum, traps := 0, 0, 0
	for c := number(); c > 0; c-- {
		stack, length := word() == "S", number()
		row = row[:0]
		for i := 0; i < length; i++ {
			v := number()
			sum += v
			for top := len(row); top >= 2 && row[top-2] <= row[top-1] && v <= row[top-1]; top = len(row) {
				v += row[top-2] - row[top-1]
				row = row[:top-2]
			}
			row = append(row, v)
		}
		total += length
		for top := len(row); stack && top >= 2 && row[top-2] <= row[top-1]; top = len(row) {
			traps += row[top-2] - row[top-1]
			row = row[:top-2]
		}
		rest = append(rest, row...)
	}
	sort.Sort(sort.Reverse(sort.IntSlice(rest)))
	ahead := traps
	if total%2 != 0 {
		ahead = -traps
	}
	for i, coin := range rest {
		if i%2 == 0 {
			ahead += coin
		} else {
			ahead -= coin
		}
	}
	fmt.Println(ahead, (sum+ahead)/2)
}
