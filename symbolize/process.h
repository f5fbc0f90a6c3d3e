/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process.h - the executable mappings of processes, as perf's records and /proc tell of them: which image holds an address.
 *
 * State is that of the last call: who has records of different CPUs brings them in order first. One thread.
 */
#ifndef LAPWING_SYMBOLIZE_PROCESS_H
#define LAPWING_SYMBOLIZE_PROCESS_H

#include "symbolize/image.h"

/* A new program: its mappings come one by one. */
void process_exec(s32 pid);
void process_fork(s32 pid, s32 parent);
/* It is gone, but what was taken of it may still be asked about: the last processes are kept, as long as they are not too big. */
void process_exit(s32 pid);
/* A mapping of code; image as image_get() gave it when the mapping was made, or NULL. */
void process_map(s32 pid, const struct image_map *m, struct image *image);
/* It tells of itself: of code that it made, or what an area of its memory is called. The note's name ends with a NUL. */
void process_note(const struct wire_note *note);
/* Notes that were too many to be kept. */
u64 process_notes_refused(void);
/*
 * The table of what holds addr, and where in it that is: a file's by offset, or what the process itself told of its code by address. A
 * process that was there before is read from /proc. NULL: not known.
 */
const struct wire_symtab *process_symbols(s32 pid, u64 addr, u64 *at);
/* A process that maps addr, as all known ones do that map it: the same place of the same file. 0: none does, or they differ. */
s32 process_that_maps(u64 addr);
/* The image that holds an address, and the offset in its file; NULL: none. */
struct image *process_image(s32 pid, u64 addr, u64 *offset);
/* Is code mapped at addr, or did the process tell of some? 1 too where nothing is known of it. */
int process_is_code(s32 pid, u64 addr);
/* What process pid told of code it made, by address; *bytes, and *newer: there is more than when it was asked last. NULL: nothing. */
const struct wire_symtab *process_made(s32 pid, u64 *bytes, int *newer);
/* Nobody holds a pointer into a table any more: frees those that others replaced. */
void process_tidy(void);
/* Calls each() for all images that process pid has mapped now. */
void process_each_image(s32 pid, void (*each)(struct image *im));
/* Calls each() for all processes that /proc has. */
void process_each_there(void (*each)(s32 pid));
/* Reads the mappings of a process that no record told of, so that they, and those of what it forks, are known when it has ended. */
void process_look(s32 pid);
void process_clear(void);
/* Who is told what a user should know: a line without its end. */
void process_on_warning(void (*warn)(const char *text));

#endif
