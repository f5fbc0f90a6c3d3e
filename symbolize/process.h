/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process.h - the executable mappings of processes, from perf's records and /proc: which image
 * contains an address.
 *
 * State is that of the last call: a caller with records of different CPUs sorts them by time first.
 * Single-threaded.
 */
#ifndef LAPWING_SYMBOLIZE_PROCESS_H
#define LAPWING_SYMBOLIZE_PROCESS_H

#include "symbolize/image.h"

/* A process executes a new program: its mappings follow one by one. */
void process_exec(s32 pid);
void process_fork(s32 pid, s32 parent);
/*
 * The mappings of exited processes are kept for late samples: of the last ones, within a memory
 * limit.
 */
void process_exit(s32 pid);
/* A new mapping of code; image: what image_get() returned at mapping time, or NULL. */
void process_map(s32 pid, const struct image_map *m, struct image *image);
/*
 * A program's note: generated code, or the name of a memory area. The note's name must end with
 * NUL.
 */
void process_note(const struct wire_note *note);
/* How many notes were dropped because of the limit. */
u64 process_notes_refused(void);
/*
 * The symbol table for addr, and the key to look up in it (*at): a file offset, or an address in
 * code that the process generated. Unknown processes are read from /proc. NULL: not known.
 */
const struct wire_symtab *process_symbols(s32 pid, u64 addr, u64 *at);
/*
 * A process that maps addr, if all processes that map it map the same place of the same file; 0:
 * none, or they differ.
 */
s32 process_that_maps(u64 addr);
/* The image that holds an address, and the offset in its file; NULL: none. */
struct image *process_image(s32 pid, u64 addr, u64 *offset);
/* True if code is mapped at addr or a note named it, and for unknown processes. */
int process_is_code(s32 pid, u64 addr);
/*
 * The table of code that pid generated (generated.h), by address; *newer: it grew since the last
 * call. NULL: none.
 */
const struct wire_symtab *process_made(s32 pid, u64 *bytes, int *newer);
/* Calls each() for all images that pid maps now. */
void process_each_image(s32 pid, void (*each)(struct image *im));
/* Calls each() for all processes in /proc. */
void process_each_there(void (*each)(s32 pid));
/*
 * Reads the mappings of a process that has no records yet, so that they, and those of its children,
 * are known after it has ended.
 */
void process_look(s32 pid);
/*
 * Reads its mappings again, as records of them were missed. is_other: it executes another program than
 * before; else it keeps what it had if it has ended.
 */
void process_look_again(s32 pid, int is_other);
/* Frees the images that no process maps, nor has mapped since the last call. */
void process_sweep(void);
void process_clear(void);

#endif
