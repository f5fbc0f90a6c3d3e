/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uprobe_fetch.h - what a probe in a user program must take of the process at the hit, where its handler runs later (user runtime): the
 * registers and pieces of memory that the handler can ask for.
 */
#ifndef LAPWING_UPROBE_FETCH_H
#define LAPWING_UPROBE_FETCH_H

#include "translator/program/program.h"

/* Fills in probe->take. What cannot be taken at the hit is reported. */
void uprobe_fetch_probe(struct program *prog, struct probe *probe);

#endif
