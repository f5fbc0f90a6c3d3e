/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * confirm.h - what is asked before a script is run.
 */
#ifndef LAPWING_CONFIRM_H
#define LAPWING_CONFIRM_H

#include "lib/diag.h"
#include "parser/probe_point.h"
#include "translator/program/options.h"

#define CONFIRM_MANY	1000
/* Measured on 34,000 functions: what so many probes take to build, of which so many have a handler that no other has. */
#define CONFIRM_BUILD_MS(probes, handlers)	((probes) / 10.0 + 1.4 * (handlers))

/*
 * A probe point has so many matches: when there are very many, asks on a terminal whether that was meant, with an estimate of what it
 * costs; elsewhere warns. Reports an error when it was not meant.
 */
void confirm_many(const struct options *opt, struct diag_sink *sink, const struct probe_point *point, unsigned matches);

#endif
