/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * folder.c - see folder.h.
 */
#include "runtime/run/folder.h"

#include "runtime/lapwing-note.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int folder_name(char folder[FOLDER_SIZE])
{
	errno = ENAMETOOLONG;
	if (geteuid())
		return lapwing_notes_folder(folder, FOLDER_SIZE);
	strcpy(folder, "/run/lapwing");
	return 0;
}

int folder_find(char folder[FOLDER_SIZE])
{
	struct stat st;

	if (folder_name(folder) || lstat(folder, &st))
		return -1;
	errno = EPERM;
	return !S_ISDIR(st.st_mode) || st.st_uid != geteuid() || st.st_mode & 022 ? -1 : 0;
}

int folder_make(char folder[FOLDER_SIZE])
{
	if (folder_name(folder))
		return -1;
	if (!geteuid())
		mkdir("/run", 0755);	/* small guests have none */
	mkdir(folder, geteuid() ? 0700 : 0755);
	return folder_find(folder);
}
