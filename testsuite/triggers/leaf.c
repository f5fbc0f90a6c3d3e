/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * leaf.c - leaf() makes no frame although frame pointers are enabled: in each of ROUNDS rounds
 * main() calls a() and b(), which call leaf(), and clobbers(), which keeps another value in the
 * frame pointer's register while it calls lost(), without call frame information that says so.
 * Usage: leaf ROUNDS [WORK: iterations of leaf()'s loop for b(), three times as many for a()]
 */
#pragma GCC optimize("no-omit-frame-pointer", "no-optimize-sibling-calls")

#include <stdlib.h>

#define OWN __attribute__((noinline, noclone))

static OWN unsigned long leaf(unsigned long n)
{
	unsigned long sum = n;

	while (n--)
		asm volatile("" : "+r"(sum), "+r"(n));
	return sum;
}

static OWN unsigned long a(unsigned long n)
{
	unsigned long sum = leaf(3 * n);

	asm volatile("" : "+r"(sum));
	return sum + 1;
}

static OWN unsigned long b(unsigned long n)
{
	unsigned long sum = leaf(n);

	asm volatile("" : "+r"(sum));
	return sum + 2;
}

/* A function with a frame that is called with an invalid frame pointer. */
OWN void lost(void)
{
	asm volatile("" : : : "memory");
}

static OWN void clobbers(void)
{
#ifdef __aarch64__
	asm volatile("mov x19, x29; mov x29, 8; bl lost; mov x29, x19"
		     : : : "x19", "x30", "cc", "memory");
#else
	asm volatile("mov %%rbp, %%rbx; mov $8, %%ebp; call lost; mov %%rbx, %%rbp"
		     : : : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc",
			   "memory");
#endif
}

int main(int argc, char **argv)
{
	unsigned long work = argc > 2 ? strtoul(argv[2], NULL, 0) : 1, sum = 0;

	for (long i = argc > 1 ? atol(argv[1]) : 1; i > 0; i--) {
		sum += a(work) + b(work);
		clobbers();
	}
	return sum == 1;
}
