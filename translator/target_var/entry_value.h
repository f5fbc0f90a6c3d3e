/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * entry_value.h - @entry(E) in a probe at a function's return: the value of E at the start of the
 * call.
 */
#ifndef LAPWING_ENTRY_VALUE_H
#define LAPWING_ENTRY_VALUE_H

#include "translator/program/program.h"

/*
 * A node that reads, at p's return, the value of an expression at the entry of the same call. p's
 * keeper, a probe that is appended to prog->probes, computes it there; value becomes part of the
 * keeper's body. NULL with *why.
 */
struct ast_node *entry_value_keep(struct program *prog, struct probe *p, struct ast_node *value,
				  const char **why);

#endif
