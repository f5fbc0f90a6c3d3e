/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * astray.c - a frame pointer that is none: spin() runs while the register leads to main(), and from there to an address without code.
 * Usage: astray ROUNDS
 */
#include <stdlib.h>

static unsigned long data[2];
static void *strange[2] = { 0, &data[1] };
static void *to_main[2] = { strange, 0 };

static __attribute__((noinline)) void spin(unsigned long rounds)
{
#ifdef __aarch64__
	asm volatile("stp x29, x30, [sp, -16]!; mov x29, %1; 1: subs %0, %0, 1; b.ne 1b; ldp x29, x30, [sp], 16"
		     : "+r"(rounds) : "r"(to_main) : "cc", "memory");
#else
	asm volatile("push %%rbp; mov %1, %%rbp; 1: dec %0; jnz 1b; pop %%rbp" : "+r"(rounds) : "r"(to_main) : "cc", "memory");
#endif
}

int main(int argc, char **argv)
{
	to_main[1] = (char *)main + 4;
	spin(argc > 1 ? strtoul(argv[1], 0, 10) : 100000000);
	return 0;
}
