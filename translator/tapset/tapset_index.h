/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tapset_index.h - what each file of the script library declares. Private to tapset.c.
 */
#ifndef LAPWING_TAPSET_INDEX_H
#define LAPWING_TAPSET_INDEX_H

#include "parser/ast.h"
#include "parser/outline.h"
#include "translator/program/options.h"

struct library_file {
	char		*path;
	char		*stamp;		/* size, times and inode, which identify the content */
	GPtrArray	*names[OUTLINE_KINDS];	/* char *, owned */
	int		taken;		/* already in the program */
};

/*
 * One struct library_file per readable path (char *), in order; free with g_ptr_array_unref().
 * Unchanged files come from the cache, others are read.
 */
GPtrArray *tapset_index(const GPtrArray *paths, enum cache_use use);

#endif
