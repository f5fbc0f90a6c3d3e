// SPDX-License-Identifier: GPL-2.0-or-later

// plugin.go - a program, and with -buildmode=plugin what it loads: each has 10 goroutines, which go 101 calls of deep() deep, each of 400
// bytes, so that their stacks are moved. The argument is the plugin.
package main

import (
	"fmt"
	"os"
	"plugin"
)

//go:noinline
func deep(n int) int {
	var room [50]int
	if n == 0 {
		return 0
	}
	room[n%50] = n
	return deep(n-1) + room[n%50]
}

// Run is called in the program and in the plugin.
func Run() {
	sum, back := 0, make(chan int)
	for i := 0; i < 10; i++ {
		go func() { back <- deep(100) }()
	}
	for i := 0; i < 10; i++ {
		sum += <-back
	}
	fmt.Println(sum)
}

func main() {
	Run()
	p, err := plugin.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	run, err := p.Lookup("Run")
	if err != nil {
		panic(err)
	}
	run.(func())()
}
