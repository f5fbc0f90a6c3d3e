/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * floors.c - calls of known cost: 500 of a kernel function in which nothing happens (fsync of memory is noop_fsync()), of a function that
 * returns at once and of one that does next to nothing; 10 of a loop, whose ns by our own clock, of the fastest, are printed ("timed NS");
 * 20 of one that goes 5 deep and loops at each depth; request 7 begun by one thread and ended by another. Usage: floors [HOLD: for ever]
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

void nothing(void);
void nearly(int n);
void spin(unsigned long n);
void timed(unsigned long n);
void down(int depth);
void step(int req);
void hold(void);

__attribute__((noipa)) void nothing(void)
{
	__asm__ volatile("");
}

__attribute__((noipa, patchable_function_entry(1, 0))) void nearly(int n)
{
	__asm__ volatile("" : "+r" (n));
}

__attribute__((noipa)) void spin(unsigned long n)
{
	while (n--)
		__asm__ volatile("" : "+r" (n));
}

__attribute__((noipa)) void timed(unsigned long n)
{
	while (n--)
		__asm__ volatile("" : "+r" (n));
}

__attribute__((noipa)) void down(int depth)
{
	spin(300000);
	if (depth > 1)
		down(depth - 1);
	__asm__ volatile("");
}

__attribute__((noipa)) void step(int req)
{
	__asm__ volatile("" : "+r" (req));
	spin(1000);
}

static void *end_request(void *unused)
{
	step(7);
	return unused;
}

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

__attribute__((noipa)) void hold(void)
{
	pause();
}

int main(int argc, char **argv)
{
	int memory = memfd_create("floors", 0);
	long fastest = 0, began, took;
	pthread_t other;

	for (int i = 0; i < 500; i++)
		fsync(memory);
	if (argc > 1)
		hold();
	for (int i = 0; i < 500; i++) {
		nothing();
		nearly(i);
	}
	for (int i = 0; i < 10; i++) {
		began = now();
		timed(6000000);
		took = now() - began;
		fastest = i && took > fastest ? fastest : took;
	}
	for (int i = 0; i < 20; i++)
		down(5);
	step(6);
	step(7);
	if (pthread_create(&other, NULL, end_request, NULL) || pthread_join(other, NULL))
		return 1;
	printf("timed %ld\n", fastest);
	return 3;
}
