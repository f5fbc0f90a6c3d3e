/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ksyms.h - the kernel's functions by name: a hash table made from kallsyms, cached in a file
 * because the kernel takes 200 million instructions to print that text (and as many for the list of
 * traceable functions).
 *
 * libc only. A table is constant once it is open.
 */
#ifndef LAPWING_KSYMS_H
#define LAPWING_KSYMS_H

#include <stddef.h>
#include <stdint.h>

enum ksym_traceable { KSYM_UNKNOWN, KSYM_UNTRACEABLE, KSYM_TRACEABLE };

struct ksym {
	uint64_t	address;	/* 0: hidden */
	uint32_t	name, module;	/* offsets into ksyms.text; module 0: the kernel proper */
	uint32_t	next;		/* the next of the same hash, + 1; 0: none */
	uint16_t	traceable;	/* enum ksym_traceable */
	uint16_t	is_static;	/* not visible outside its file */
};

struct ksyms {
	const struct ksym *sym;		/* functions, in the order of kallsyms */
	uint32_t	n;
	const char	*text;
	/* private */
	const uint32_t	*heads;
	void		*base;
	size_t		bytes;
	int		mapped;
};

struct ksyms_source {
	const char	*kallsyms;	/* file */
	const char	*traceable;	/* file, or NULL: not needed */
	const char	*kept;		/* file to cache the table in, or NULL. Its directory
					 * must exist. */
	uint64_t	key;		/* key that the cached table must match */
};

/*
 * Opens the table of a source: the cached one if it is ours, complete and has that key (and has
 * traceability, if requested), otherwise made from the text and cached. NULL and errno: the text
 * cannot be read. ksyms_close() frees.
 */
struct ksyms *ksyms_open(const struct ksyms_source *source);
void ksyms_close(struct ksyms *k);
/* The first function with that name; ksyms_again() gives the next one. NULL: none. */
const struct ksym *ksyms_find(const struct ksyms *k, const char *name);
const struct ksym *ksyms_again(const struct ksyms *k, const struct ksym *sym);
/*
 * The table of the running kernel, cached in our private directory ($LAPWING_CACHE,
 * $XDG_CACHE_HOME/lapwing or ~/.cache/lapwing, created if missing) until the next boot or until a
 * module is loaded or unloaded. Functions of our own modules are excluded.
 */
struct ksyms *ksyms_open_running(int with_traceable);
/*
 * What its table depends on: this boot, whether addresses are shown, which modules are loaded where.
 */
uint64_t ksyms_key_running(void);
/*
 * Names one of our modules, for ksyms_open_running(): loading it does not invalidate the table. The
 * text must stay valid.
 */
void ksyms_own_module(const char *name);

#endif
