// SPDX-License-Identifier: GPL-2.0-or-later

// Functions in Go's assembler: twice() is called 100 times as it is and 10 times through what the compiler writes for callers of a function's
// value; calls() 100 times, and it calls ends(). On x86-64 they lose the register that tells the goroutine. 51 users are looked up, after the
// caller, by C that Go's linker has taken.
package main

import (
	"fmt"
	"os/user"
)

func twice(n int) int
func calls()

var value = twice

func main() {
	sum := 0
	for i := 0; i < 100; i++ {
		sum += twice(i)
		calls()
	}
	for i := 0; i < 10; i++ {
		sum += value(i)
	}
	for i := 0; i < 51; i++ {
		if _, err := user.LookupId("1"); err != nil {
			panic(err)
		}
	}
	fmt.Println(sum)
}
