/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uprobe_fetch.h - data that a probe in a user program must fetch at the hit, because its handler
 * runs later (user runtime): the registers and pieces of memory that the handler may use.
 */
#ifndef LAPWING_UPROBE_FETCH_H
#define LAPWING_UPROBE_FETCH_H

#include "translator/program/program.h"

/* Sets probe->fetch. Data that cannot be fetched at the hit is reported. */
void uprobe_fetch_probe(struct program *prog, struct probe *probe);

#endif
