/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * block.h - the basic block that holds a place.
 */
#ifndef LAPWING_REPORT_BLOCK_H
#define LAPWING_REPORT_BLOCK_H

#include "report/profile.h"

/* Where the block of a place begins, in bytes after its function. 0, or -1: the capture has no code there. */
int block_of(const struct profile *p, guint32 place, guint64 *start);

#endif
