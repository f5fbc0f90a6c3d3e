/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs_mount.h - finds tracefs, with the kernel's trace events.
 */
#ifndef LAPWING_TRACEFS_MOUNT_H
#define LAPWING_TRACEFS_MOUNT_H

/*
 * The folder of tracefs, if this process may read the events there; static. For root it is mounted
 * if it was not. NULL: see tracefs_problem().
 */
const char *tracefs_find(void);
/*
 * Why it cannot be read and what to do about it, as the end of a sentence that begins with
 * "tracefs, which"; NULL: it can be read.
 */
const char *tracefs_problem(void);

#endif
