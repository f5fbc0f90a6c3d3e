/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pretty.h - $x$ and $x$$: a struct, union or array as text, "{.pid=1, .comm="sh", .mm=0x0}". */
#ifndef LAPWING_TARGET_VAR_PRETTY_H
#define LAPWING_TARGET_VAR_PRETTY_H

#include "translator/target_var/variable.h"

/* "{.pid=1, .comm="sh"}" of a struct, union, array or pointer to one; deep: nested ones too. pretty.c */
struct ast_node *pretty_value(struct lowering *l, struct location from, int deep);

#endif
