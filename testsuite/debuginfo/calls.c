/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.c - a fake kernel: a function with two callers, an inlined copy, recursion, a tail call.
 */
static inline __attribute__((always_inline)) long inlined(long n)
{
	asm volatile("" : "+r" (n));
	return n + 1;
}

__attribute__((noipa)) long leaf(long n);
__attribute__((noipa)) long leaf(long n)
{
	return n * 3;
}

__attribute__((noipa)) long jumps(long n);
__attribute__((noipa)) long jumps(long n)
{
	return leaf(n);
}

__attribute__((noipa)) long middle(long n);
__attribute__((noipa)) long middle(long n)
{
	return leaf(n) + leaf(n + 1) + (n ? middle(n - 1) : 0);
}

long outer(long n);
long outer(long n)
{
	return middle(n) + leaf(n) + inlined(n) + jumps(n);
}

/* Has its own code, and is also inlined. */
extern long both(long n);
inline __attribute__((always_inline)) long both(long n)
{
	asm volatile("" : "+r" (n));
	return n + 2;
}

long uses(long n);
long uses(long n)
{
	return both(n) + both(n + 1);
}
