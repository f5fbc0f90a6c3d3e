/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * library.c - the library of hostile.c: half of the CPU time is its own, half that of a function
 * it calls.
 */
long library_work(long (*work)(long), long n)
{
	volatile long sum = 0;

	for (long i = 0; i < n; i++)
		sum += i;
	return sum + work(n);
}
