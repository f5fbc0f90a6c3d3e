/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * user_variable.h - variables of probed user programs: DWARF's, by the ABI without it, and arguments of marks. For variable.c only.
 */
#ifndef LAPWING_USER_VARIABLE_H
#define LAPWING_USER_VARIABLE_H

#include "translator/target_var/variable.h"

struct userfile;

/* Where $name begins; $return too. */
struct location user_variable(struct lowering *l, const char *name);
/* The program or library that the third argument of @cast or second of @var names by a path; NULL: it names none. */
struct userfile *user_named_file(const struct lowering *l);
/* @var("name[@file]"), of the probed file. */
struct location user_global(struct lowering *l, const char *name, const char *file);
/* The type that a cast names, stars taken off, in the file that it names or the probed one; 0: its DWARF has none such. Sets l->btf. */
guint32 user_type(struct lowering *l, const char *name);
/* Names that $$vars, $$parms or $$locals lists (g_ptr_array_unref); of a mark arg1 ... */
GPtrArray *user_names(struct lowering *l, int parameters, int locals);
/* $$name or $$provider, or NULL. */
const char *user_text(const struct lowering *l, const char *name);

/* An address of the probed file, as linked, in the process; user_variable.c. */
struct ast_node *lower_user_address(struct lowering *l, guint64 linked);

#endif
