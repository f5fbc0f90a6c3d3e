/* SPDX-License-Identifier: GPL-2.0-or-later */
/* embed.h - embedded C. */
#ifndef LAPWING_EMIT_EMBED_H
#define LAPWING_EMIT_EMBED_H

#include "translator/emit/emit.h"

/* embedded C outside of functions and probes */
void emit_embedded_texts(struct emitter *e);
void emit_embedded_function(struct emitter *e, const struct function *f, const char *signature);
const char *emit_embedded(struct emitter *e, struct ast_node *node);		/* a value */
void emit_embedded_statement(struct emitter *e, struct ast_node *node);

#endif
