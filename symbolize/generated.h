/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * generated.h - code that a process generated: the functions in it, from its notes, its
 * perf-PID.map or its jitdump file.
 */
#ifndef LAPWING_SYMBOLIZE_GENERATED_H
#define LAPWING_SYMBOLIZE_GENERATED_H

#include "symbolize/image.h"

#include <stddef.h>
#include <sys/stat.h>

struct noted;

/* Generated code of one process; initially zero. */
struct generated {
	s32		inner_pid;	/* in its own namespace; 0: not read yet */
	/* a mapping has no file, or a note named a function */
	int		is_there;
	int		has_uid;	/* uid could be read, at a mapping without a file */
	uid_t		uid;		/* the process's user */
	struct image	*dump;		/* its jitdump file, or NULL */
	struct wire_symtab *jit;	/* the functions in its file */
	u64		jit_bytes;	/* of that table */
	struct stat	jit_file;	/* as it was when it was read */
	int		warned;
	struct noted	*noted;
	size_t		nnoted, tabled;	/* notes; those of them that are in `all` */
	struct wire_symtab *all;	/* the functions of its notes and its file */
	const struct wire_symtab *all_jit;	/* jit when `all` was made */
	u64		all_bytes;
};

/* The name of the area that contains an address, if the process named it; else NULL. */
typedef const char *generated_area(const void *of, u64 addr);

/* A mapping of code; image NULL: without a file. Keeps a jitdump file. */
void generated_map(struct generated *g, s32 pid, const char *path, struct image *image);
void generated_fork(struct generated *g, const struct generated *from);
/* The process exits, and its file may be removed: reads it. Returns the bytes of the tables. */
u64 generated_exit(struct generated *g, s32 pid);
/* A note that names a function; its name ends with NUL. 0, or -1: there are too many. */
int generated_note(struct generated *g, const struct wire_note *note);
/*
 * All generated functions of the process by address; NULL: none known. generated_symbols() looks
 * only if the process has such code. The table is not rebuilt for every note, but if addr is
 * missing.
 */
const struct wire_symtab *generated_symbols(struct generated *g, s32 pid, u64 addr,
					    generated_area *area, const void *of);
const struct wire_symtab *generated_read(struct generated *g, s32 pid, u64 addr,
					 generated_area *area, const void *of);
/* The table that they returned last; the bytes of such a table. */
const struct wire_symtab *generated_last(const struct generated *g);
u64 generated_bytes(const struct generated *g, const struct wire_symtab *t);
/* Forgets everything. Returned tables stay valid until generated_free_replaced(). */
void generated_clear(struct generated *g);
void generated_free_replaced(void);
/* Sets the function that reports warnings: one line, without a newline. */
void generated_on_warning(void (*warn)(const char *text));

#endif
