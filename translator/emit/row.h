/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row.h - a[k] inside foreach (k in a): the row the loop is at, which needs no lookup. */
#ifndef LAPWING_EMIT_ROW_H
#define LAPWING_EMIT_ROW_H

#include "translator/emit/emit.h"

/* no statement of its body changes its array or keys */
int row_stays(struct ast_node *loop);
/* The rt_iter of an enclosing loop that stands at this element, or NULL. */
const char *row_iterator(const struct emitter *e, const struct ast_node *index);

#endif
