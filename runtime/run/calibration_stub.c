/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calibration_stub.c - empty functions: what stopwatches of user programs read of them is their own
 * cost.
 *
 * Runtimes probe them by their offsets in our executable. The first instruction of one kind is the
 * return, of the other a nop: the kernel emulates one and single-steps the other, which takes far
 * longer; which one depends on the machine. Each stopwatch has its own.
 */
#include "runtime/run/calibration_stub.h"

#include "runtime/run/messages.h"
#include "runtime/run/run.h"

#include <link.h>
#include <string.h>
#include <sys/utsname.h>

#define STUB(n) \
	void stub_return_##n(void); \
	void stub_nop_##n(void); \
	__attribute__((noipa)) void stub_return_##n(void) \
	{ \
		__asm__ volatile("/* " #n " */"); \
	} \
	__attribute__((noipa, patchable_function_entry(1, 0))) void stub_nop_##n(void) \
	{ \
		__asm__ volatile("/* " #n " */"); \
	}
STUB(0)
STUB(1)
STUB(2)
STUB(3)
STUB(4)
STUB(5)
STUB(6)
STUB(7)

static void (*const stubs[2][RT_CALIBRATION_STUBS])(void) = {
	{ stub_nop_0, stub_nop_1, stub_nop_2, stub_nop_3,
	  stub_nop_4, stub_nop_5, stub_nop_6, stub_nop_7 },
	{ stub_return_0, stub_return_1, stub_return_2, stub_return_3,
	  stub_return_4, stub_return_5, stub_return_6, stub_return_7 },
};

#define IN_A_ROW	64	/* calls of one function in a row, for the time from one call to
				 * the next */

_Static_assert(sizeof(((struct wire_about *)0)->empty) == sizeof(u64[2][RT_CALIBRATION_STUBS]),
	       "a place for each");

/* Converts addresses to offsets in our file, beginning with the first one given. */
static int find_places(struct dl_phdr_info *image, size_t size, void *data)
{
	u64 *places = data;

	for (unsigned i = 0; i < 2 * RT_CALIBRATION_STUBS; i++)
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

void calibration_stubs_describe(struct wire_about *about)
{
	struct utsname machine;
	unsigned steps_nop = !uname(&machine) && !strcmp(machine.machine, "aarch64");

	for (unsigned i = 0; i < 2; i++)
		for (unsigned k = 0; k < RT_CALIBRATION_STUBS; k++)
			about->empty[i ^ steps_nop][k] = (u64)(unsigned long)stubs[i][k];
	dl_iterate_phdr(find_places, about->empty);
}

/* In turn, as a program that calls several functions does, then each again and again. */
static void call_stubs(void)
{
	for (unsigned n = 0; n < RT_STUB_CALLS; n++)
		for (unsigned i = 0; i < 2; i++)
			for (unsigned k = 0; k < RT_CALIBRATION_STUBS; k++)
				stubs[i][k]();
	for (unsigned i = 0; i < 2 * RT_CALIBRATION_STUBS; i++)
		for (unsigned n = 0; n < IN_A_ROW; n++)
			stubs[i / RT_CALIBRATION_STUBS][i % RT_CALIBRATION_STUBS]();
}

void calibration_stubs_call(void)
{
	if (facts.hello.flags & WIRE_WANTS_STUB_CALLS)
		call_stubs();
	for (unsigned n = 0;
	     facts.hello.flags & WIRE_WANTS_CALIBRATE && n < RT_STUB_CALLS / RT_STUB_AT_ONCE; n++)
		command_send(WIRE_CALIBRATE, 0, "", 0);
}
