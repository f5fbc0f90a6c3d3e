/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pretty.h - structs, unions and arrays as text: $x$, $x$$.
 */
#ifndef LAPWING_TARGET_VAR_PRETTY_H
#define LAPWING_TARGET_VAR_PRETTY_H

#include "translator/target_var/variable.h"

/*
 * "{.pid=1, .comm="sh"}" for a struct, union, array or pointer to one; deep: nested ones too.
 */
struct ast_node *pretty_value(struct lowering *l, struct location from, int deep);

#endif
