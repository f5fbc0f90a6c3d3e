/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nop5.c - finds out whether this kernel breaks programs that are probed on a nop of 5 bytes
 * (lib/nop5.h). The test runs once per boot, and its result is kept: "BOOT-ID 1" in the file nop5
 * of the folder of runs, which only this user can write.
 */
#include "runtime/run/nop5.h"

#include "lib/nop5.h"
#include "runtime/run/facts.h"
#include "runtime/run/folder.h"
#include "runtime/run/run.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BOOT_ID 37		/* bytes, with the NUL */

struct answer {
	char	boot[BOOT_ID];
	int	breaks;
};

static int read_boot(char boot[BOOT_ID])
{
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
	int rc = f && fscanf(f, "%36s", boot) == 1 ? 0 : -1;

	if (f)
		fclose(f);
	return rc;
}

static int read_answer(const char *path, struct answer *a)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), rc = -1;
	FILE *f = fd >= 0 ? fdopen(fd, "r") : NULL;
	struct stat st;

	if (f && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    !(st.st_mode & 022) && fscanf(f, "%36s %1d", a->boot, &a->breaks) == 2)
		rc = a->breaks & ~1 ? -1 : 0;
	if (f)
		fclose(f);
	else if (fd >= 0)
		close(fd);
	return rc;
}

/* Others see the old file or the whole new one. */
static void keep_answer(const char *path, const struct answer *a)
{
	char part[FOLDER_SIZE + 32];
	int fd, failed;

	snprintf(part, sizeof(part), "%s.%d", path, getpid());
	unlink(part);
	fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return;
	failed = dprintf(fd, "%s %d\n", a->boot, a->breaks) < 0;
	if (close(fd) || failed || rename(part, path))
		unlink(part);
}

u32 nop5_ask(void)
{
	char folder[FOLDER_SIZE], path[FOLDER_SIZE + 8] = "";
	struct answer now = { .breaks = -1 }, kept = { .breaks = -1 };

	if (!read_boot(now.boot) && !folder_make(folder))
		snprintf(path, sizeof(path), "%s/nop5", folder);
	if (*path && !read_answer(path, &kept) && !strcmp(kept.boot, now.boot))
		return (u32)kept.breaks;
	now.breaks = nop5_breaks();
	if (*path && now.breaks >= 0)
		keep_answer(path, &now);
	if (now.breaks < 0)
		warn("cannot find out whether probes on 5-byte nops break programs on this kernel: "
		     "they are assumed to");
	return now.breaks != 0;
}
