/* SPDX-License-Identifier: GPL-2.0-or-later */
/* user_runtime.c - see user_runtime.h. */
#include "translator/families/user_runtime.h"

void user_runtime_refuse(struct diag_sink *sink, const struct probe_point *point, const char *why)
{
	const struct point_comp *comp = &point->comps[0];

	diag(sink, point->written ? &point->loc : &comp->loc, D_POINT_RUNTIME,
	     point->written ? point->written : comp->name, why);
}
