/* SPDX-License-Identifier: GPL-2.0-or-later */
/* used.c - a shared library of one function, which returns its argument plus one. */
long used(long n);
long used(long n)
{
	__asm__ volatile("" : "+r"(n));
	return n + 1;
}
