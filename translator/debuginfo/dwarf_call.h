/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_call.h - who calls whom, by the call sites that DWARF describes (dwarf.h): each callee's
 * entry, and where its calls return to.
 */
#ifndef LAPWING_DEBUGINFO_DWARF_CALL_H
#define LAPWING_DEBUGINFO_DWARF_CALL_H

#include "translator/debuginfo/dwarf_private.h"

void dwarf_frames_free(GPtrArray *frames);
/*
 * Callees, whose names match a pattern, of the functions that a query for entries finds: their
 * entries, and inlined copies in the callers; depth: levels of calls. Callees are found by DWARF's
 * call sites: indirect calls have none, and a tail call has no frame of its caller. Result as of
 * dwarf_places().
 */
GArray *dwarf_callees(struct dwarf *d, const struct dwarf_query *callers, const char *pattern,
		      unsigned depth);

#endif
