/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs_folder.h - where tracefs is mounted. libc only.
 */
#ifndef LAPWING_TRACEFS_FOLDER_H
#define LAPWING_TRACEFS_FOLDER_H

/*
 * A constant, such as "/sys/kernel/tracing". Mounts tracefs there, as other tracers do, where it is
 * not mounted and this process may. NULL: not mounted, or this user must not read it.
 */
const char *tracefs_folder(void);

#endif
