// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * process_memory.c - memory of processes: as the hit's event recorded it (fetched.c), or not at
 * all. When a handler runs, the process has continued: what its memory holds then says nothing
 * about the hit. Kernel memory cannot be read at all.
 */
#include "runtime/user/context/enter.h"
#include "runtime/user/base/unread.h"
#include "runtime/user/processes/exe_file.h"
#include "runtime/user/context/fetched.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define LOWEST	4096		/* no process has memory below, nor in the kernel's half */

long runtime_copy(struct rt_ctx *c, void *to, u64 from, u32 n, int user)
{
	struct iovec mine = { to, n }, theirs = { (void *)(unsigned long)from, n };
	long rc;

	if (!user)
		return -EFAULT;
	rc = fetched_copy(c->hit, to, from, n);
	if (rc != -ENOENT)
		return rc;
	if (user_is_phase(c))			/* of this process */
		return process_vm_readv(getpid(), &mine, 1, &theirs, 1, 0) == (ssize_t)n ? 0
											 : -EFAULT;
	if (from >= LOWEST && (s64)(from + n) > 0)
		unread_memory(c);
	return -EFAULT;
}

s64 rt_mm_address(struct rt_ctx *c, s64 which)
{
	unsigned long long at[4] = { 0 };
	char line[1024], *p = NULL;
	FILE *f;

	if (!user_is_phase(c)) {		/* the strings there could not be read */
		unread_memory(c);
		return 0;
	}
	f = fopen("/proc/self/stat", "re");
	if (f && fgets(line, sizeof(line), f))
		p = strrchr(line, ')');		/* end of field 2, the name, which may contain
						 * blanks */
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
	int fd = user_is_phase(c) ? open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
				  : exe_open(((const struct hit *)c->hit)->pid);
	int got = fd >= 0 && read(fd, head, sizeof(head)) == sizeof(head);

	if (fd >= 0)
		close(fd);
	if (!got)
		unread_note(c, "probing_32bit_app()",
			    "the process has ended, or its program's file is gone");
	return got && head[4] == 1;		/* ELFCLASS32 */
}
