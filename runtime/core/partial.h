/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partial.h - after an error that ended the run: displays the globals that no error probe reads, in
 * the format of the display of unread globals.
 */
#ifndef LAPWING_CORE_PARTIAL_H
#define LAPWING_CORE_PARTIAL_H

#include "runtime/core/core.h"

/*
 * Prints the globals that are not empty and that no error probe reads, under one PARTIAL line, to
 * standard error (WIRE_ASIDE).
 * Process context, nothing runs any more; c may wait and belongs to no hit.
 */
void core_partial(struct rt_ctx *c);

#endif
