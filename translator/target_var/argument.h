/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * argument.h - parameters and results of the probed function or tracepoint, by BTF and the ABI.
 */
#ifndef LAPWING_TARGET_VAR_ARGUMENT_H
#define LAPWING_TARGET_VAR_ARGUMENT_H

#include "translator/target_var/variable.h"

/*
 * The prototype of the probed function or tracepoint, 0 with l->why; *skip: parameters before the
 * script's.
 */
guint32 argument_prototype(struct lowering *l, unsigned *skip);
struct location argument_location(struct lowering *l, const char *name);
struct location argument_result(struct lowering *l);

#endif
