/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wide.c - two functions without loops, hundreds of instructions each, so that samples fall on many
 * addresses: hot() takes three times as long as cold(). Usage: wide MS, of CPU time
 */
#include <stdlib.h>
#include <time.h>

static volatile unsigned long state = 1;

/* A jump after each step: an emulator takes interrupts only there. */
#ifdef __aarch64__
#define JUMP	"b 1f\n1:"
#else
#define JUMP	"jmp 1f\n1:"
#endif
#define STEP	x = x * 6364136223846793005UL + 1442695040888963407UL; \
		__asm__ volatile(JUMP : "+r"(x));
#define TEN(s)	s s s s s s s s s s

static __attribute__((noinline)) void hot(void)
{
	unsigned long x = state;

	TEN(TEN(STEP STEP STEP))
	state = x;
}

static __attribute__((noinline)) void cold(void)
{
	unsigned long x = state;

	TEN(TEN(STEP))
	state = x;
}

int main(int argc, char **argv)
{
	clock_t end = clock() + (argc > 1 ? atol(argv[1]) : 500) * (CLOCKS_PER_SEC / 1000);

	while (clock() < end)
		for (int i = 0; i < 2000; i++) {
			hot();
			cold();
		}
	return 0;
}
