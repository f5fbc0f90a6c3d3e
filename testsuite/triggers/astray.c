/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * astray.c - an invalid frame pointer: spin() runs while the register points to a frame record of
 * main(), which leads to an address without code.
 * Usage: astray ROUNDS
 */
#pragma GCC optimize("no-omit-frame-pointer", "no-optimize-sibling-calls")

#include <stdlib.h>

static unsigned long data[2];
static void **to_main;

static __attribute__((noinline)) void spin(unsigned long rounds)
{
#ifdef __aarch64__
	asm volatile("mov x9, x29; mov x29, %1; 1: subs %0, %0, 1; b.ne 1b; mov x29, x9"
		     : "+r"(rounds) : "r"(to_main) : "x9", "cc", "memory");
#else
	asm volatile("mov %%rbp, %%rcx; mov %1, %%rbp; 1: dec %0; jnz 1b; mov %%rcx, %%rbp"
		     : "+r"(rounds) : "r"(to_main) : "rcx", "cc", "memory");
#endif
}

static __attribute__((noinline)) void *behind_a_call(void)
{
	return __builtin_return_address(0);
}

int main(int argc, char **argv)
{
	void *records[4] = { &records[2], behind_a_call(), 0, &data[1] };

	asm volatile("" : : "r"(records) : "memory");
	to_main = records;
	spin(argc > 1 ? strtoul(argv[1], 0, 10) : 100000000);
	return 0;
}
