/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs_mount.h - where the kernel's trace events are.
 */
#ifndef LAPWING_TRACEFS_MOUNT_H
#define LAPWING_TRACEFS_MOUNT_H

/*
 * Its folder, if this process may read the events there; static. Root gets it mounted where it is
 * not. NULL: see tracefs_problem().
 */
const char *tracefs_find(void);
/*
 * Why there is none, with what to do about it, as the end of a sentence that begins with "tracefs,
 * which"; NULL: it can be read.
 */
const char *tracefs_problem(void);

#endif
