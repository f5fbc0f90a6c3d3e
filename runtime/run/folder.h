/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * folder.h - the directory of this user's runs: /run/lapwing for root; for others the directory in
 * which programs look for sockets (lapwing-note.h). That may be below /tmp, so it must be private
 * to be used.
 */
#ifndef LAPWING_RUN_FOLDER_H
#define LAPWING_RUN_FOLDER_H

#define FOLDER_SIZE 80		/* a socket's address has room for it and a name */

/* Its path. 0, or -1 (errno): missing, or writable by others. */
int folder_find(char folder[FOLDER_SIZE]);
/* The same; created if missing. */
int folder_make(char folder[FOLDER_SIZE]);

#endif
