/* SPDX-License-Identifier: GPL-2.0-or-later */
/* netfilter_variable.h - variables of netfilter hooks. For variable.c only. */
#ifndef LAPWING_NETFILTER_VARIABLE_H
#define LAPWING_NETFILTER_VARIABLE_H

#include "translator/target_var/lowering.h"
#include "translator/target_var/variable.h"

/* The location of $name in such a probe. */
struct location netfilter_variable(struct lowering *l, const char *name);
/* The names that $$vars and $$parms list (g_ptr_array_unref). */
GPtrArray *netfilter_names(void);

#endif
