/* SPDX-License-Identifier: GPL-2.0-or-later */
/* target.c - a program to probe: functions, a static one, and a PLT entry for printf. */
#include <stdio.h>

__attribute__((noinline)) int work(int n)
{
	int below = n > 1 ? work(n - 1) : 0;

	__asm__ volatile("" : "+r"(below));
	return below + n;
}

static __attribute__((noinline)) long helper(long a, const char *text)
{
	__asm__ volatile("" : "+r"(a));
	return a + text[0];
}

int main(int argc, char **argv)
{
	printf("%d\n", work(3) + (int)helper(argc, argv[0]));
	return 0;
}
