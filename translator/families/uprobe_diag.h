/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uprobe_diag.h - why a point in a program matches nothing in its file.
 */
#ifndef LAPWING_UPROBE_DIAG_H
#define LAPWING_UPROBE_DIAG_H

#include "translator/families/family.h"

struct userfile;

/*
 * Reports that call->point, whose code comp names, matched nothing in the file with that path,
 * unless the point is allowed to match nothing.
 */
void uprobe_diag_report(struct family_call *call, struct userfile *file, const char *path,
			const struct point_comp *comp);
/*
 * True if a breakpoint may be put there: in the middle of an instruction it would break the
 * program. Without debuginfo, only the address of a function is safe; -g allows any. *why: the
 * reason (static).
 */
int user_begins_instruction(const struct family_call *call, struct userfile *file, guint64 address,
			    const char **why);

#endif
