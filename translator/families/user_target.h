/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * user_target.h - which files process("PATH"), process(PID), process and .library("LIB") name
 * (user_site.h).
 */
#ifndef LAPWING_FAMILIES_USER_TARGET_H
#define LAPWING_FAMILIES_USER_TARGET_H

#include "translator/families/user_site.h"

/*
 * The targets of call->point, struct user_target, one for each program; free with
 * g_ptr_array_unref. Reports why there are none.
 */
GPtrArray *user_targets(struct family_call *call);
/* Reports that the program or process of the point's first component is not there. */
void user_target_missing(struct family_call *call, const struct point_comp *comp);

#endif
