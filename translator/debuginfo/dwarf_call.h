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
 * Entries of the functions matching a pattern that those a query for entries finds call, and inlined copies of them there; to depth: what
 * those call too. By the call sites that the compiler tells of: a call through a pointer has none, and one that became a jump leaves no
 * trace of its caller. As dwarf_places().
 */
GArray *dwarf_callees(struct dwarf *d, const struct dwarf_query *callers, const char *pattern, unsigned depth);

#endif
