/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block.h - the basic block that contains a place. */
#ifndef LAPWING_REPORT_BLOCK_H
#define LAPWING_REPORT_BLOCK_H

#include "report/profile.h"

/*
 * The start of a place's basic block, in bytes from its function's start. 0, or -1: its code is not
 * in the capture.
 */
int block_of(const struct profile *p, guint32 place, guint64 *start);

#endif
