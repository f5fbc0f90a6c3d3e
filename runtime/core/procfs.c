// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * procfs.c - $value of procfs probes, and their rows as files (procfs.h).
 */
#include "runtime/core/procfs.h"

#include "runtime/core/core.h"
#include "runtime/core/port.h"

struct rt_str rt_procfs_value(void)
{
	const struct procfs_text *t = *procfs_now();
	u32 n = t ? t->used : 0;

	if (!n)
		return RT_STR("");
	return (struct rt_str){ t->p,
				(u16)(n < rt_script.maxstring ? n : rt_script.maxstring - 1) };
}

void rt_procfs_append(struct rt_str v)
{
	struct procfs_text *t = *procfs_now();
	u32 room = t ? t->size - t->used : 0, n = v.len < room ? v.len : room;

	if (!n)
		return;
	memcpy(t->p + t->used, v.p, n);
	t->used += n;
}

void rt_procfs_set(struct rt_str v)
{
	if (*procfs_now())
		(*procfs_now())->used = 0;
	rt_procfs_append(v);
}

u32 procfs_size(const struct rt_procfs *row)
{
	return row->maxsize ? row->maxsize : rt_script.maxstring - 1;
}

/* port.h has no strcmp. */
static int procfs_same(const char *a, const char *b)
{
	return strlen(a) == strlen(b) && !memcmp(a, b, strlen(a));
}

static int procfs_is_stdin(const struct rt_procfs *row)
{
	return row->is_write && procfs_same(row->path, RT_STDIN);
}

u32 procfs_files(const struct rt_procfs *rows, u32 nrows, struct procfs_file *files)
{
	u32 i, k, n = 0;

	for (i = 0; i < nrows; i++) {
		if (procfs_is_stdin(&rows[i]))
			continue;
		for (k = 0; k < n && !procfs_same(files[k].path, rows[i].path); k++)
			;
		if (k == n)
			files[n++] = (struct procfs_file){ .path = rows[i].path };
		if (rows[i].is_write)
			files[k].write = &rows[i];
		else
			files[k].read = &rows[i];
	}
	return n;
}

const struct rt_procfs *procfs_stdin(u32 *at)
{
	u32 f;

	for (f = 0; f < rt_script.nfamilies; f++) {
		const struct rt_procfs *rows = rt_script.families[f].rows;

		while (rt_script.families[f].family == &rt_family_procfs &&
		       *at < rt_script.families[f].nrows)
			if (procfs_is_stdin(&rows[(*at)++]))
				return &rows[*at - 1];
	}
	return 0;
}
