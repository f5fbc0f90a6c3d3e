/* SPDX-License-Identifier: GPL-2.0-or-later */
/* user_runtime.h - points that the user runtime does not have. */
#ifndef LAPWING_USER_RUNTIME_H
#define LAPWING_USER_RUNTIME_H

#include "lib/diag.h"
#include "parser/probe_point.h"

/*
 * Reports that the point cannot be probed in the user runtime, and why; of an alias's point, that
 * the alias cannot, where the script names it.
 */
void user_runtime_refuse(struct diag_sink *sink, const struct probe_point *point, const char *why);

#endif
