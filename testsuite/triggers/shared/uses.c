/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uses.c - calls used() of a shared library: `uses TIMES` calls used(1), used(2) ... of the library
 * that it is linked with; `uses TIMES LIBRARY` opens LIBRARY, calls its used() and closes it again,
 * TIMES times.
 */
#include <dlfcn.h>
#include <stdlib.h>

long used(long n);

static int open_and_call(const char *library, long n)
{
	void *opened = dlopen(library, RTLD_NOW);
	long (*call)(long) = opened ? (long (*)(long))dlsym(opened, "used") : NULL;

	if (!call || call(n) != n + 1)
		return 1;
	return dlclose(opened);
}

int main(int argc, char **argv)
{
	long times = argc > 1 ? atol(argv[1]) : 1;
	int failed = 0;

	for (long n = 1; n <= times; n++)
		failed |= argc > 2 ? open_and_call(argv[2], n) : used(n) != n + 1;
	return failed;
}
