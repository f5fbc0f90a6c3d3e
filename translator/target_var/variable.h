/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * variable.h - target variables: $x->y[i] and @cast to loads, by BTF and the ABI.
 */
#ifndef LAPWING_VARIABLE_H
#define LAPWING_VARIABLE_H

#include "translator/program/program.h"

struct lowering;

/* The value of an AST_TARGET as an expression of plain nodes, or NULL with *why (arena). */
struct ast_node *variable_lower(struct program *prog, const struct probe *probe,
				const struct ast_node *target, const char **why);
/*
 * User runtime: true if the AST_TARGET at p's return is a value that must be stored at the entry.
 */
int variable_is_saved(struct program *prog, const struct probe *p, const struct ast_node *target);
/*
 * The string that the AST_TARGET points to, if it must be captured at the hit. NULL: with *why, or,
 * without, not needed.
 */
struct ast_node *variable_text(struct program *prog, const struct probe *probe,
			       const struct ast_node *target, const char **why);
/* The type of its value, for value_type.c; without btf: unknown, or its target is unknown. */
struct value_type variable_type(struct program *prog, const struct probe *probe,
				const struct ast_node *target);
/* Writes value, an expression of plain nodes, to it (-g only). NULL with *why. */
struct ast_node *variable_store(struct program *prog, const struct probe *probe,
				const struct ast_node *target, struct ast_node *value,
				const char **why);
/* " $file:struct file* $count:size_t" of a probe, or "". Caller frees. */
char *variable_list(struct program *prog, const struct probe *probe);
/* True if the parameters of the probed function or tracepoint are known. 0 with *why (arena). */
int variable_has_prototype(struct program *prog, const struct probe *probe, const char **why);
/* An enumerator's value by name; 0: none. */
int variable_enum(struct program *prog, const char *name, gint64 *value);

/* The module that a probe is in, by its family's row; NULL: the kernel proper, or in no code. */
const char *variable_module(const struct probe *probe);
/* The address of a kernel variable, offset added. */
struct ast_node *lower_symbol(struct lowering *l, const char *name, const char *module,
			      gint64 offset);

#endif
