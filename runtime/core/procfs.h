/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * procfs.h - files of procfs probes: which handlers serve one, and $value while they run. How a file comes to be is the runtime's.
 */
#ifndef LAPWING_CORE_PROCFS_H
#define LAPWING_CORE_PROCFS_H

#include "runtime/rt.h"

/* What is read or was written; memory of the runtime's. */
struct procfs_text {
	char	*p;
	u32	used, size;
};

struct procfs_file {
	const char		*path;		/* below the module's folder */
	const struct rt_procfs	*read, *write;	/* either may be NULL, not both */
	void			*own;		/* the runtime's */
};

/* Where the runtime keeps the text of the handler that runs here. */
struct procfs_text **procfs_now(void);
/*
 * Files of nrows rows into files[nrows], by first use; how many. Rows of the standard input are none.
 * -EEXIST, reported: two rows of one kind have one path.
 */
int procfs_files(const struct rt_procfs *rows, u32 nrows, struct procfs_file *files);
u32 procfs_size(const struct rt_procfs *row);	/* bytes that its $value may have */
/* The rows that want the consumer's standard input, one after the other: *at is 0 at first. NULL: no more. */
const struct rt_procfs *procfs_stdin(u32 *at);

#endif
