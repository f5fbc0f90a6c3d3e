/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pieces.c - a fake kernel: a variable that optimized code keeps in several registers, or nowhere.
 */
struct pair { long a; int b; int c; };

__attribute__((noipa)) long split(long x);
__attribute__((noipa)) long split(long x)
{
	struct pair p = { x * 3, (int)x + 5, -7 };

	asm volatile("" : "+r" (p.a), "+r" (p.b));
	asm volatile("nop");
	return p.a ^ p.b;
}

__attribute__((noipa)) double floating(double d, long n);
__attribute__((noipa)) double floating(double d, long n)
{
	asm volatile("" : "+r" (n));
	asm volatile("nop");
	return d + (double)n;
}
