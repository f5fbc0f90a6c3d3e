/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * procfs.h - files of procfs probes: which handlers serve one, and $value while they run. The
 * runtime creates the files.
 */
#ifndef LAPWING_CORE_PROCFS_H
#define LAPWING_CORE_PROCFS_H

#include "runtime/rt.h"

/* The text that is being read or was written; in the runtime's memory. */
struct procfs_text {
	char	*p;
	u32	used, size;
};

struct procfs_file {
	const char		*path;		/* below the module's folder */
	const struct rt_procfs	*read, *write;	/* either may be NULL, not both */
	void			*own;		/* private to the runtime */
};

/* Where the runtime keeps the text of the handler that is running here. */
struct procfs_text **procfs_now(void);
/*
 * Groups nrows rows into files[nrows], by first use; returns their number. Rows for standard input
 * are skipped. No two rows of one kind have one path: the translator refuses that.
 */
u32 procfs_files(const struct rt_procfs *rows, u32 nrows, struct procfs_file *files);
u32 procfs_size(const struct rt_procfs *row);	/* maximum bytes of its $value */
/* The rows for the consumer's standard input, one by one: *at is 0 at first. NULL: no more. */
const struct rt_procfs *procfs_stdin(u32 *at);

#endif
