/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explain.h - explains why a module does not load, with the lines of the kernel log.
 */
#ifndef LAPWING_RUN_EXPLAIN_H
#define LAPWING_RUN_EXPLAIN_H

/* Call it before loading: earlier lines of the log are ignored. */
void explain_listen(void);
void explain_load(const char *path, const char *name, int error);

#endif
