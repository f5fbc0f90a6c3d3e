/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * floors.c - calls of known cost: 500 of a kernel function in which nothing happens (fsync of memory is noop_fsync()), of a function that
 * returns at once and of one that does next to nothing; 10 of a loop, whose ns by our own clock, of the fastest, are printed, read
 * around the call ("timed NS") and within it ("within NS");
 * 20 of one that goes 5 deep and loops at each depth; request 7 begun by one thread and ended by another; 10 of one that longjmp()
 * leaves 5 times, 2 of one in which its thread ends; requests 1 to 6 opened, and those from 2 to 7 closed, by another thread after a loop
 * each, whose ns by our own clock are printed ("open NS"). Usage: floors [HOLD: for ever]
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
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
void leap(int n);
void leave(void);
void open_request(int req);
void close_request(int req);

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

static long within;		/* ns of the fastest loop of timed() */

__attribute__((noipa)) void timed(unsigned long n)
{
	long began = now(), took;

	while (n--)
		__asm__ volatile("" : "+r" (n));
	took = now() - began;
	within = within && took > within ? within : took;
}

__attribute__((noipa)) void hold(void)
{
	pause();
}

static jmp_buf back;

__attribute__((noipa)) void leap(int n)
{
	if (n & 1)
		longjmp(back, 1);
}

__attribute__((noipa)) void leave(void)
{
	pthread_exit(NULL);
}

static void *left(void *unused)
{
	leave();
	return unused;
}

__attribute__((noipa)) void open_request(int req)
{
	__asm__ volatile("" : : "r" (req) : "memory");
}

__attribute__((noipa)) void close_request(int req)
{
	__asm__ volatile("" : : "r" (req) : "memory");
}

static void *close_one(void *req)
{
	close_request(*(int *)req);
	return req;
}

static int run(void *(*begin)(void *), void *argument)
{
	pthread_t other;

	return pthread_create(&other, NULL, begin, argument) || pthread_join(other, NULL);
}

/* ns of the loops in requests that have both ends */
static long requests(void)
{
	long sum = 0, began;

	for (int i = 1; i <= 7; i++) {
		if (i < 7)
			open_request(i);
		began = now();
		spin(300000);
		if (i > 1 && i < 7)
			sum += now() - began;
		if (i > 1 && run(close_one, &i))
			return -1;
	}
	return sum;
}

int main(int argc, char **argv)
{
	int memory = memfd_create("floors", 0);
	long fastest = 0, began, took;

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
	if (run(end_request, NULL))
		return 1;
	for (volatile int i = 0; i < 10; i++)
		if (!setjmp(back))
			leap(i);
	if (run(left, NULL) || run(left, NULL))
		return 1;
	printf("timed %ld\nwithin %ld\nopen %ld\n", fastest, within, requests());
	return 3;
}
