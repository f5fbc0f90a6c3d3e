/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * user_variable.h - variables of probed user programs: by DWARF, or without it by the ABI, and
 * arguments of marks. For variable.c only.
 */
#ifndef LAPWING_USER_VARIABLE_H
#define LAPWING_USER_VARIABLE_H

#include "translator/target_var/variable.h"

struct userfile;

/* The location of $name, or $return. */
struct location user_variable(struct lowering *l, const char *name);
/*
 * The program or library whose path is the third argument of @cast or the second of @var; NULL:
 * none.
 */
struct userfile *user_named_file(const struct lowering *l);
/* Why a cast's "<sys/time.h>" has no types here; NULL: it has, or the cast names no headers. */
const char *user_headers_problem(const struct lowering *l);
/* @var("name[@file]"), of the probed file. */
struct location user_global(struct lowering *l, const char *name, const char *file);
/*
 * The type that a cast names, without its stars, from the named file or the probed one; 0: not in
 * the file's DWARF. Sets l->btf.
 */
guint32 user_type(struct lowering *l, const char *name);
/* The names that $$vars, $$parms or $$locals list (g_ptr_array_unref); for a mark, arg1 ... */
GPtrArray *user_names(struct lowering *l, int parameters, int locals);
/* $$name or $$provider, or NULL. */
const char *user_text(const struct lowering *l, const char *name);
/* The address in the process of a link address of the probed file. */
struct ast_node *lower_user_address(struct lowering *l, guint64 linked);

#endif
