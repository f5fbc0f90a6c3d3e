/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explain.h - why a module does not load: the error in plain words, and what the kernel and the
 * module itself have put in the log.
 */
#ifndef LAPWING_RUN_EXPLAIN_H
#define LAPWING_RUN_EXPLAIN_H

#include "runtime/run/run.h"

/* Why a module does not load, in plain words and in those of the kernel log. */
/* Call it before the module is loaded: what is in the log by then is not about it. */
void explain_listen(void);
void explain_load(const char *path, const char *name, int error);

#endif
