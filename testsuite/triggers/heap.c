/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * heap.c - asks the C library for memory and a lock, and prints what libc's aliases say of that, as values.c does.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	void *a = malloc(12345), *b = calloc(7, 1111), *volatile was = a;

	a = realloc(a, 54321);
	printf("libc.memory.malloc size 12345 address %ld\n", (long)was);
	printf("libc.memory.calloc size 7777 address %ld\n", (long)b);
	printf("libc.memory.realloc size 54321 address %ld\n", (long)a);
	printf("libc.memory.free address %ld\n", (long)b);
	printf("libc.mutex.entry mutex %ld\nlibc.mutex.acquired mutex %ld\nlibc.mutex.release mutex %ld\n", (long)&lock, (long)&lock, (long)&lock);
	free(b);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return 0;
}
