/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat.c - known system calls of a 32-bit program, made by a 64-bit one: int 0x80 is the entry of
 * 32-bit programs into an x86-64 kernel.
 * Usage: compat. Prints nothing. Links statically, runs in guests; on other architectures it does
 * nothing.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#ifdef __x86_64__
static void call32(int nr, unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	long result;

	__asm__ volatile("int $0x80" : "=a"(result)
			 : "a"(nr), "b"(a), "c"(b), "d"(c), "S"(d)
			 : "memory", "r8", "r9", "r10", "r11");
}

int main(void)
{
	/* A 32-bit program can only point to the lowest 4 GB. */
	int *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	unsigned long at = (unsigned long)low;

	if (low == MAP_FAILED)
		return 1;
	memcpy(low, (int[]){ 0, 1001, 0, 1002, 3, 4, 5, 6 }, 32);
	strcpy((char *)(low + 16), "/nothing/there");
	call32(162, at, 0, 0, 0);		/* nanosleep */
	call32(267, 1, 0, at + 8, 0);		/* clock_nanosleep */
	call32(320, 5, at + 64, at + 16, 0);	/* utimensat */
	call32(271, at + 64, at + 16, 0, 0);	/* utimes */
	call32(240, at, 1, 7, 0);		/* futex, FUTEX_WAKE */
	return 0;
}
#else
int main(void)
{
	return 0;
}
#endif
