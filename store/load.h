/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load.h - epochs of a store as one in memory. */
#ifndef LAPWING_STORE_LOAD_H
#define LAPWING_STORE_LOAD_H

#include "store/sql.h"

/*
 * The epochs of a condition on two numbers, ?1 and ?2, as store_get() returns them. Within a
 * transaction. NULL with *error set.
 */
struct store_epoch *load_epochs(struct store *s, const char *where, gint64 a, gint64 b, enum store_how how,
				GArray *(*bounds_of)(GBytes *names), GError **error);

#endif
