/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * out.h - text of a C file: indented lines, blocks whose declarations come first, literals,
 * comments.
 */
#ifndef LAPWING_EMIT_OUT_H
#define LAPWING_EMIT_OUT_H

#include "translator/emit/emit.h"

/* write to the open block, indented */
void emit_line(struct emitter *e, const char *format, ...) G_GNUC_PRINTF(2, 3);
void emit_decl(struct emitter *e, const char *format, ...) G_GNUC_PRINTF(2, 3);
struct block *block_open(struct emitter *e, unsigned indent);
/* Closes the innermost block and appends its declarations and body to where; 1: it was empty. */
int block_close(struct emitter *e, GString *where);
/*
 * A C string literal, with quotes, from script text, whose escapes are kept; truncated to at most
 * max bytes, and at a NUL.
 */
char *c_literal(const char *text, gint64 max);
char *c_literal_raw(const char *bytes);		/* from plain bytes */
/* "script:line  source" for the comment above a definition; safe inside a comment. Caller frees. */
char *source_comment(const struct loc *loc);
/* value1, key2 ...: unique in the function. Lives in the ast's arena. */
const char *emit_name(struct emitter *e, const char *base);
/*
 * Such a name, declared in the open block with that C type ("s64 "), for use until the end of the
 * statement. It is not initialized.
 */
const char *emit_temp(struct emitter *e, const char *type, const char *base);
/* Ends a statement: frees the temps of the open block taken since e->taken was `taken`. */
void emit_give_back(struct emitter *e, unsigned taken);

/* The row of an error's "near" text; the row of a format. */
unsigned emit_near(struct emitter *e, const struct ast_node *node);
unsigned emit_format(struct emitter *e, const char *text, const char *kinds);
/* In the arena. */
const char *emit_text(struct emitter *e, const char *format, ...) G_GNUC_PRINTF(2, 3);

#endif
