/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * folder.h - the folder in which this user's runs can be found: /run/lapwing is root's; that of others is where programs look that tell of
 * themselves (lapwing-note.h), which may be below /tmp: it is ours alone, or not used.
 */
#ifndef LAPWING_RUN_FOLDER_H
#define LAPWING_RUN_FOLDER_H

#define FOLDER_SIZE 80		/* what a socket's address has room for, with a name */

/* Its path. 0, or -1 (errno): it is not there, or not ours alone to write. */
int folder_find(char folder[FOLDER_SIZE]);
/* The same, made when it is not there. */
int folder_make(char folder[FOLDER_SIZE]);

#endif
