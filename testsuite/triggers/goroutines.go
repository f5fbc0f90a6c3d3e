// SPDX-License-Identifier: GPL-2.0-or-later

// goroutines.go - 20 goroutines, in threads of the runtime's choice, go 101 calls of deep() deep, each of 500 bytes, so that their stacks are
// moved in the midst of calls, and wait there for all to come; 100 calls of catches() and of throws(), half of which are left by a panic that
// catches() recovers from; 12 of kind(), which jumps by a table. Prints what they gave.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

//go:noinline
func deep(who, n int, back chan int) int {
	if n == 0 {
		runtime.Gosched()
		back <- who
		return 10000 * who
	}
	var room [64]int
	room[n%64] = n
	return deep(who, n-1, back) + room[n%64]
}

//go:noinline
func catches(n int) (r int) {
	defer func() {
		if e := recover(); e != nil {
			r = -n
		}
	}()
	return throws(n)
}

//go:noinline
func throws(n int) int {
	if n%2 == 1 {
		panic(n)
	}
	return n
}

//go:noinline
func kind(n int) string {
	switch n {
	case 0:
		return "zero"
	case 1:
		return "one"
	case 2:
		return "two"
	case 3:
		return "three"
	case 4:
		return "four"
	case 5:
		return "five"
	case 6:
		return "six"
	case 7:
		return "seven"
	case 8:
		return "eight"
	}
	return "more"
}

func main() {
	var wait sync.WaitGroup
	back := make(chan int)
	sums := make([]int, 20)
	for i := 0; i < 20; i++ {
		wait.Add(1)
		go func(who int) {
			defer wait.Done()
			sums[who] = deep(who, 100, back)
		}(i)
	}
	sum := 0
	for i := 0; i < 20; i++ {
		sum += <-back
	}
	wait.Wait()
	for _, s := range sums {
		sum += s
	}
	caught := 0
	for i := 0; i < 100; i++ {
		caught += catches(i)
	}
	l := 0
	for i := 0; i < 12; i++ {
		l += len(kind(i))
	}
	fmt.Println(sum, caught, l)
}
