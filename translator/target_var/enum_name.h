/* SPDX-License-Identifier: GPL-2.0-or-later */
/* enum_name.h - @enumname(VALUE[, "type"[, "module"]]): an enumerator's name by its value. */
#ifndef LAPWING_ENUM_NAME_H
#define LAPWING_ENUM_NAME_H

#include "translator/program/program.h"

/*
 * A call that returns the name, or the number if no enumerator has it, for atop, whose value is not
 * lowered yet; makes the called function once per type. NULL: with *why (arena).
 */
struct ast_node *enum_name_lower(struct program *prog, const struct probe *probe,
				 struct ast_node *atop, const char **why);

#endif
