/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parts.c - a program's functions of which gcc -O3 leaves copies alone: scaled() has one argument everywhere, and is called 5 times; work()
 * begins with a test that is inlined, and so is the rest where it does one thing: called 5 times, 2 of them for more, and once for nothing.
 */
#include <stddef.h>

static volatile int sink;

static __attribute__((noinline)) void scaled(int n, int by)
{
	while (n--)
		sink += by;
}

static void work(const int *p, int n)
{
	if (!p)
		return;
	for (int i = 0; i < n; i++) {
		scaled(p[i], 7);
		for (int k = 0; k < n; k++)
			sink += p[i] * k + sink * n;
		for (int k = 0; k < n; k++)
			sink -= p[i] / (k + 1) + sink % (n + k + 1);
		for (int k = 0; k < n; k++)
			sink ^= p[i] << k | sink >> n;
	}
}

/* Both have the place of the macro, as their call has; that is a call all the same. */
#define DEFINE(name)						\
	static inline int name##_inlined(int n) { return n * 3 + sink; }	\
	__attribute__((noipa)) int name(int n) { return name##_inlined(n) + 1; }
DEFINE(made)

__attribute__((noipa)) void one(const int *p) { work(p, 1); }
__attribute__((noipa)) void two(const int *p) { work(p, 2); }
__attribute__((noipa)) void three(const int *p, int n)
{
	work(p, n);
	work(p + 1, n);
}

int main(int argc, char **argv)
{
	const int a[2] = { 3, 4 };

	one(a);
	two(a);
	three(a, argc);
	one(argc > 1 ? a : NULL);
	made(argc);
	return 0;
}
