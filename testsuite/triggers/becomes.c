/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * becomes.c - a process that runs one program after another, each of which comes to step() twice, from code that it made at one address:
 * which is called "made first" then, and "made second". outer() calls it in inner(), which is inlined.
 * Usage: becomes PATH...	executes the first of them when it has done so, with the others as arguments: links to this program
 */
#pragma GCC optimize("no-omit-frame-pointer", "no-optimize-sibling-calls")

#include "../../runtime/lapwing-note.h"

#include <sys/mman.h>

#ifdef __x86_64__
/* push %rbp; mov %rsp, %rbp; call *%rdi; pop %rbp; ret */
static const unsigned char code[] = { 0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3 };
#else
/* stp x29, x30, [sp, #-16]!; mov x29, sp; blr x0; ldp x29, x30, [sp], #16; ret */
static const unsigned code[] = { 0xa9bf7bfd, 0x910003fd, 0xd63f0000, 0xa8c17bfd, 0xd65f03c0 };
#endif

static volatile int steps;

static __attribute__((noinline)) void step(void)
{
	steps++;
}

static inline __attribute__((always_inline)) void inner(void)
{
	step();
}

static __attribute__((noinline)) void outer(void)
{
	inner();
	steps++;
}

int main(int argc, char **argv)
{
	struct lapwing_notes notes = lapwing_notes_open();
	void *at = mmap((void *)0x200000000, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (at == MAP_FAILED)
		return 1;
	memcpy(at, code, sizeof(code));
	__builtin___clear_cache(at, (char *)at + sizeof(code));
	lapwing_note_code(&notes, at, sizeof(code), "made first");
	((void (*)(void (*)(void)))at)(outer);
	lapwing_note_code(&notes, at, sizeof(code), "made second");
	((void (*)(void (*)(void)))at)(outer);
	lapwing_notes_close(&notes);
	if (argc > 1)
		execv(argv[1], argv + 1);
	return argc > 1;
}
