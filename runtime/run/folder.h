/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * folder.h - the folder in which this user's runs can be found: /run/lapwing is root's, $XDG_RUNTIME_DIR/lapwing anybody else's.
 */
#ifndef LAPWING_RUN_FOLDER_H
#define LAPWING_RUN_FOLDER_H

#define FOLDER_SIZE 80		/* what a socket's address has room for, with a name */

/* Its path; 0, or -1: this user has none. */
int folder_path(char folder[FOLDER_SIZE]);
/* The same, made when it is not there; it must be ours and nobody else's to write. 0, or -1 (errno). */
int folder_make(char folder[FOLDER_SIZE]);

#endif
