/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ksyms.h - the functions of a kernel by name: a hashed table made from kallsyms, kept in a file because the kernel takes 200 million
 * instructions to print that text (and as many for its list of traceable functions).
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
	uint16_t	is_static;	/* not seen outside its file */
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
	const char	*traceable;	/* file, or NULL: nobody asks */
	const char	*kept;		/* file to keep the table in, or NULL. Its folder must exist. */
	uint64_t	key;		/* what the kept table must have been made for */
};

/*
 * The table of a source: the kept one when it is ours, whole and of that key (and tells of traceability when that is asked), else made
 * from the text and kept. NULL and errno: the text cannot be read. ksyms_close() frees.
 */
struct ksyms *ksyms_open(const struct ksyms_source *source);
void ksyms_close(struct ksyms *k);
/* The first function of that name; ksyms_again() gives the next one. NULL: none. */
const struct ksym *ksyms_find(const struct ksyms *k, const char *name);
const struct ksym *ksyms_again(const struct ksyms *k, const struct ksym *sym);
/*
 * The running kernel's, kept in our private cache folder ($LAPWING_CACHE, $XDG_CACHE_HOME/lapwing or ~/.cache/lapwing, made when it is
 * not there) for as long as this boot lasts and no module comes or goes. Functions of our own modules are left out.
 */
struct ksyms *ksyms_open_running(int with_traceable);
/* A module of ours by any name, for ksyms_open_running(): whether it is loaded makes no difference. The text must stay. */
void ksyms_own_module(const char *name);

#endif
