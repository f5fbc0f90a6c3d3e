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
/*
 * The file at that path of this machine. NULL with *why (static): it cannot be read, is for another
 * machine, or has 32 bits: its arguments, results and stacks are not where a 64-bit kernel's
 * definitions say.
 */
struct userfile *user_target_file(const struct family_call *call, const char *path,
				  const char **why);

#endif
