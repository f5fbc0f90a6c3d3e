/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row.h - a[k] inside foreach (k in a): the loop's current row, which needs no lookup. */
#ifndef LAPWING_EMIT_ROW_H
#define LAPWING_EMIT_ROW_H

#include "translator/emit/emit.h"

/* True if no statement of the loop's body changes its array or keys. */
int row_stays(struct ast_node *loop);
/* The rt_iter of an enclosing loop whose current row is this element, or NULL. */
const char *row_iterator(const struct emitter *e, const struct ast_node *index);

#endif
