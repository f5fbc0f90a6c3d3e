/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partial.h - after an error that ended the run: what the globals hold that no error probe has
 * read, in the shape of the display of unread globals.
 */
#ifndef LAPWING_CORE_PARTIAL_H
#define LAPWING_CORE_PARTIAL_H

#include "runtime/core/core.h"

/*
 * After an error that ended the run: prints the globals that hold something and that no error probe
 * reads, under one PARTIAL line. Process context, nothing runs any more; c may wait and is no
 * hit's.
 */
void core_partial(struct rt_ctx *c);

#endif
