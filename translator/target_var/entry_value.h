/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * entry_value.h - @entry(E) in a probe at a function's return: E's value as it was when the call
 * began.
 */
#ifndef LAPWING_ENTRY_VALUE_H
#define LAPWING_ENTRY_VALUE_H

#include "translator/program/program.h"

/*
 * A node that reads, at p's return, the value that value had at the entry of the same call. It is
 * computed there by p's keeper, a probe that is appended to prog->probes; value becomes part of its
 * body. NULL: *why says why not.
 */
struct ast_node *entry_value_keep(struct program *prog, struct probe *p, struct ast_node *value,
				  const char **why);

#endif
