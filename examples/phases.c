/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * phases.c - a program that tells profilers of itself with lapwing-note.h: the phase it is in, a
 * function that it made while it runs, and what the memory around that is called. phases.stp counts
 * its samples by phase and function. Usage: phases [MS]: milliseconds of CPU time a phase takes,
 * 300 without.
 */
#define _GNU_SOURCE
#include "../runtime/lapwing-note.h"

#include <sys/mman.h>

/* A loop that counts its argument down. */
#ifdef __aarch64__
static const unsigned char countdown[] = { 0x00, 0x04, 0x00, 0xf1, 0xe1, 0xff,
					   0xff, 0x54, 0xc0, 0x03, 0x5f, 0xd6 };
#else
static const unsigned char countdown[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 };
#endif
/* a copy of the function at the start of the area has a name, one further on has none */
enum { AREA = 4096, UNNAMED = 2048 };

static volatile unsigned long work;

static __attribute__((noinline)) void compute(unsigned long n)
{
	while (n--)
		work += n;
}

static void run_for(long ms, void (*function)(unsigned long n))
{
	clock_t end = clock() + ms * (CLOCKS_PER_SEC / 1000);

	while (clock() < end)
		function(300000);
}

int main(int argc, char **argv)
{
	struct lapwing_notes notes = lapwing_notes_open();
	long ms = argc > 1 ? atol(argv[1]) : 300;
	unsigned char *area = mmap(NULL, AREA, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (area == MAP_FAILED)
		return 1;
	memcpy(area, countdown, sizeof(countdown));
	memcpy(area + UNNAMED, countdown, sizeof(countdown));
	__builtin___clear_cache((char *)area, (char *)area + AREA);
	lapwing_note_image(&notes, area, AREA, "generated");
	lapwing_note_code(&notes, area, sizeof(countdown), "countdown");

	lapwing_note_phase(&notes, "made code");
	run_for(ms, (void (*)(unsigned long))(void *)area);
	lapwing_note_phase(&notes, "without a name");
	run_for(ms, (void (*)(unsigned long))(void *)(area + UNNAMED));
	lapwing_note_phase(&notes, "own code");
	run_for(ms, compute);
	lapwing_note_phase(&notes, "");
	lapwing_notes_close(&notes);
	return 0;
}
