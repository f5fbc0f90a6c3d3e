/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * location.h - from a location to a value: members, elements, bitfields, addresses; and stores to a
 * location (variable.h).
 */
#ifndef LAPWING_TARGET_VAR_LOCATION_H
#define LAPWING_TARGET_VAR_LOCATION_H

#include "translator/target_var/variable.h"

/* All return IN_NONE or NULL with l->why on failure. */
struct location location_fail(struct lowering *l, const char *why);
struct location location_member(struct lowering *l, struct location from, const char *name);
struct location location_element(struct lowering *l, struct location from, struct ast_node *index);
struct ast_node *location_value(struct lowering *l, struct location from);
struct ast_node *location_address(struct lowering *l, struct location from);
struct ast_node *location_store(struct lowering *l, struct location to, struct ast_node *value);
/* The nth 8-byte word of a value in registers. */
struct ast_node *lower_word(struct lowering *l, struct location from, unsigned n);
struct ast_node *lower_call(struct lowering *l, const struct builtin *builtin, struct ast_node *a,
			    struct ast_node *b, struct ast_node *c);
struct ast_node *lower_number(struct lowering *l, gint64 value);
struct ast_node *lower_binary(struct lowering *l, struct ast_node *a, const char *op,
			      struct ast_node *b);
/* Loads size bytes of memory as an unsigned number. */
struct ast_node *lower_load(struct lowering *l, struct ast_node *at, gint64 size);
struct ast_node *lower_format(struct lowering *l, const char *format, GPtrArray *args);

#endif
