package main

import "fmt"

func main() {
	numbers := []int{}
	fmt.Println(numbers[len(numbers)+7])
}
