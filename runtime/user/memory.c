// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * memory.c - memory of processes, read when the handler runs: a little after the hit, when the process may have changed it or ended.
 *
 * Nobody can read it at the instant of the hit from outside; what must be exact is captured by the event (record.c, taken.c). Kernel
 * memory cannot be read at all.
 */
#include "runtime/user/taken.h"

#include "lib/foreign.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

long runtime_copy(struct rt_ctx *c, void *to, u64 from, u32 n, int user)
{
	const struct hit *hit = c->hit;
	struct iovec mine = { to, n }, theirs = { (void *)(unsigned long)from, n };

	long rc;

	if (!user)
		return -EFAULT;
	rc = taken_copy(hit, to, from, n);
	if (rc != -ENOENT)
		return rc;
	return process_vm_readv(hit->pid, &mine, 1, &theirs, 1, 0) == (ssize_t)n ? 0 : -EFAULT;
}

s64 rt_mm_address(struct rt_ctx *c, s64 which)
{
	unsigned long long at[4] = { 0 };
	char path[64], line[1024], *p = NULL;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", ((const struct hit *)c->hit)->pid);
	f = fopen(path, "re");
	if (f && fgets(line, sizeof(line), f))
		p = strrchr(line, ')');		/* the end of field 2, the name, which may hold blanks */
	for (int field = 2; p && *p && field < 48; p++)
		field += *p == ' ';
	if (p)
		sscanf(p, "%llu %llu %llu %llu", &at[0], &at[1], &at[2], &at[3]);
	if (f)
		fclose(f);
	return (s64)at[which & 3];
}

s64 rt_probing_32bit_app(struct rt_ctx *c)
{
	unsigned char head[5] = { 0 };
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/exe", ((const struct hit *)c->hit)->pid);
	fd = foreign_open(path);
	if (fd >= 0 && pread(fd, head, sizeof(head), 0) != sizeof(head))
		head[4] = 0;
	if (fd >= 0)
		close(fd);
	return head[4] == 1;		/* ELFCLASS32 */
}
