/* SPDX-License-Identifier: GPL-2.0-or-later */
/* confirm.h - confirmation before a script is run. */
#ifndef LAPWING_CONFIRM_H
#define LAPWING_CONFIRM_H

#include "lib/diag.h"
#include "parser/probe_point.h"
#include "translator/program/options.h"

#define CONFIRM_MANY	1000
/*
 * Estimated build time in ms for a number of probes with a number of distinct handlers; measured on
 * 34,000 functions.
 */
#define CONFIRM_BUILD_MS(probes, handlers)	((probes) / 10.0 + 1.4 * (handlers))

/*
 * Checks the number of matches of a probe point: if there are very many, asks on a terminal whether
 * that is intended, with an estimate of the cost; without a terminal, warns. Reports an error if
 * the answer is no.
 */
void confirm_many(const struct options *opt, struct diag_sink *sink,
		  const struct probe_point *point, unsigned matches);

#endif
