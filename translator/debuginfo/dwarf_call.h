/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_call.h - callers and callees by DWARF's call sites (dwarf.h): each callee's entry, and the
 * return addresses of its calls.
 */
#ifndef LAPWING_DEBUGINFO_DWARF_CALL_H
#define LAPWING_DEBUGINFO_DWARF_CALL_H

#include "translator/debuginfo/dwarf_private.h"

void dwarf_frames_free(GPtrArray *frames);
/*
 * Callees, whose names match a pattern, of the functions that a query for entries finds: their
 * entries, and inlined copies in the callers; depth: levels of calls. Callees are found by DWARF's
 * call sites: indirect calls have none, and a tail call leaves no frame of its caller. The result
 * is that of dwarf_places().
 */
GArray *dwarf_callees(struct dwarf *d, const struct dwarf_query *callers, const char *pattern,
		      unsigned depth);

#endif
