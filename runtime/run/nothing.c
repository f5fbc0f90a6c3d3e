/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nothing.c - functions in which nothing happens: what stopwatches of user programs read of them is their own cost.
 *
 * Runtimes probe them by their places in the file that we run. The first instruction of one kind is the return, of the other a nop: the
 * kernel emulates one and steps the other, which takes far longer; which one depends on the machine. Each stopwatch has its own.
 */
#include "runtime/run/run.h"

#include <link.h>
#include <string.h>
#include <sys/utsname.h>

#define EMPTY(n) \
	void empty_return_##n(void); \
	void empty_nop_##n(void); \
	__attribute__((noipa)) void empty_return_##n(void) { __asm__ volatile("/* " #n " */"); } \
	__attribute__((noipa, patchable_function_entry(1, 0))) void empty_nop_##n(void) { __asm__ volatile("/* " #n " */"); }
EMPTY(0)
EMPTY(1)
EMPTY(2)
EMPTY(3)
EMPTY(4)
EMPTY(5)
EMPTY(6)
EMPTY(7)

static void (*const empties[2][RT_EMPTIES])(void) = {
	{ empty_nop_0, empty_nop_1, empty_nop_2, empty_nop_3, empty_nop_4, empty_nop_5, empty_nop_6, empty_nop_7 },
	{ empty_return_0, empty_return_1, empty_return_2, empty_return_3, empty_return_4, empty_return_5, empty_return_6, empty_return_7 },
};

#define IN_A_ROW	64	/* calls of one function, for what is read from one call to the next */

_Static_assert(sizeof(((struct wire_about *)0)->empty) == sizeof(u64[2][RT_EMPTIES]), "a place for each");

/* Addresses become offsets in our file, the first one that is told of. */
static int find_places(struct dl_phdr_info *image, size_t size, void *data)
{
	u64 *places = data;

	for (unsigned i = 0; i < 2 * RT_EMPTIES; i++)
		for (unsigned k = 0; k < image->dlpi_phnum; k++) {
			const ElfW(Phdr) *h = &image->dlpi_phdr[k];

			if (h->p_type != PT_LOAD || places[i] - image->dlpi_addr - h->p_vaddr >= h->p_filesz)
				continue;
			places[i] = places[i] - image->dlpi_addr - h->p_vaddr + h->p_offset;
			break;
		}
	return 1;
}

void empties_tell(struct wire_about *about)
{
	struct utsname machine;
	unsigned steps_nop = !uname(&machine) && !strcmp(machine.machine, "aarch64");

	for (unsigned i = 0; i < 2; i++)
		for (unsigned k = 0; k < RT_EMPTIES; k++)
			about->empty[i ^ steps_nop][k] = (u64)(unsigned long)empties[i][k];
	dl_iterate_phdr(find_places, about->empty);
}

void empties_call(void)
{
	for (unsigned n = 0; facts.hello.flags & WIRE_WANTS_EMPTY && n < RT_EMPTY_CALLS; n++)
		for (unsigned i = 0; i < 2; i++)
			for (unsigned k = 0; k < RT_EMPTIES; k++)
				empties[i][k]();
	for (unsigned i = 0; facts.hello.flags & WIRE_WANTS_EMPTY && i < 2 * RT_EMPTIES; i++)
		for (unsigned n = 0; n < IN_A_ROW; n++)
			empties[i / RT_EMPTIES][i % RT_EMPTIES]();
	for (unsigned n = 0; facts.hello.flags & WIRE_WANTS_CALIBRATE && n < RT_EMPTY_CALLS / RT_EMPTY_AT_ONCE; n++)
		command_send(WIRE_CALIBRATE, 0, "", 0);
}
