/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * folder.c - see folder.h.
 */
#include "runtime/run/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int folder_path(char folder[FOLDER_SIZE])
{
	const char *mine = geteuid() ? getenv("XDG_RUNTIME_DIR") : "/run";

	errno = ENOENT;
	return !mine || snprintf(folder, FOLDER_SIZE, "%s/lapwing", mine) >= FOLDER_SIZE ? -1 : 0;
}

int folder_make(char folder[FOLDER_SIZE])
{
	struct stat st;

	if (folder_path(folder))
		return -1;
	if (!geteuid())
		mkdir("/run", 0755);	/* small guests have none */
	mkdir(folder, 0755);
	if (lstat(folder, &st))
		return -1;
	errno = EPERM;
	return !S_ISDIR(st.st_mode) || st.st_uid != geteuid() || st.st_mode & 022 ? -1 : 0;
}
