/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calibration_stub.c - empty functions: what stopwatches of user programs read for them is the
 * stopwatches' own cost.
 *
 * Runtimes probe them by their offsets in our executable. The first instruction is one that the
 * kernel emulates, or one that it single-steps, which takes far longer; the second one returns.
 * Each stopwatch has its own functions, and others if the return instruction is probed.
 */
#include "runtime/run/calibration_stub.h"

#include "lib/machine.h"
#include "runtime/run/facts.h"
#include "runtime/run/run.h"

#include <link.h>
#include <string.h>

#define SIZE	16

/*
 * For each machine: the code of each kind of function, which is the same in all functions of the
 * kind, and the size of the first instruction in bytes.
 */
typedef u8 codes[RT_EMPTY_KINDS][RT_EMPTIES][SIZE];
#define ALL(...) { [0 ... RT_EMPTIES - 1] = { __VA_ARGS__ } }
#define KINDS(emulated, stepped) { emulated, stepped, emulated, stepped }
#define EXECUTED __attribute__((__section__(".text.nothing"), __aligned__(SIZE)))

/* nop, ret; mov %rax,%rax, ret */
static const codes x86_64 EXECUTED = KINDS(ALL(0x90, 0xc3), ALL(0x48, 0x89, 0xc0, 0xc3));
static const u32 x86_64_first[2] = { 1, 3 };
/* b .+4, ret; mov x0,x0, ret */
static const codes arm64 EXECUTED = KINDS(ALL(0x01, 0, 0, 0x14, 0xc0, 0x03, 0x5f, 0xd6),
					  ALL(0xe0, 0x03, 0, 0xaa, 0xc0, 0x03, 0x5f, 0xd6));
static const u32 arm64_first[2] = { 4, 4 };

static void (*empty(u32 kind, u32 n))(void)
{
	return (void (*)(void))(unsigned long)(machine_is_arm64() ? arm64 : x86_64)[kind][n];
}

/* calls of one function in a row, for what is read from one call to the next */
#define IN_A_ROW	64

_Static_assert(sizeof(((struct wire_about *)0)->empty) == sizeof(u64[RT_EMPTY_KINDS][RT_EMPTIES]),
	       "a place for each");

/* Converts addresses to offsets in our file, which is the first image that is reported. */
static int find_places(struct dl_phdr_info *image, size_t size, void *data)
{
	u64 *places = data;

	for (unsigned i = 0; i < RT_EMPTY_KINDS * RT_EMPTIES; i++)
		for (unsigned k = 0; k < image->dlpi_phnum; k++) {
			const ElfW(Phdr) *h = &image->dlpi_phdr[k];

			if (h->p_type != PT_LOAD ||
			    places[i] - image->dlpi_addr - h->p_vaddr >= h->p_filesz)
				continue;
			places[i] = places[i] - image->dlpi_addr - h->p_vaddr + h->p_offset;
			break;
		}
	return 1;
}

void empties_tell(struct wire_about *about)
{
	for (unsigned i = 0; i < RT_EMPTY_KINDS; i++) {
		about->empty_first[i] = (machine_is_arm64() ? arm64_first : x86_64_first)[i & 1];
		for (unsigned k = 0; k < RT_EMPTIES; k++)
			about->empty[i][k] = (u64)(unsigned long)empty(i, k);
	}
	dl_iterate_phdr(find_places, about->empty);
}

void empties_call(void)
{
	for (unsigned n = 0; facts.hello.flags & WIRE_WANTS_EMPTY && n < RT_EMPTY_CALLS; n++)
		for (unsigned i = 0; i < RT_EMPTY_KINDS; i++)
			for (unsigned k = 0; k < RT_EMPTIES; k++)
				empty(i, k)();
	for (unsigned i = 0;
	     facts.hello.flags & WIRE_WANTS_EMPTY && i < RT_EMPTY_KINDS * RT_EMPTIES; i++) {
		void (*call)(void) = empty(i / RT_EMPTIES, i % RT_EMPTIES);

		for (unsigned n = 0; n < IN_A_ROW; n++)
			call();
	}
	for (unsigned n = 0;
	     facts.hello.flags & WIRE_WANTS_CALIBRATE && n < RT_EMPTY_CALLS / RT_EMPTY_AT_ONCE; n++)
		command_send(WIRE_CALIBRATE, 0, "", 0);
}
