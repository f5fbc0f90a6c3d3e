/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_query.h - asks lapwing-events how libpfm4 encodes an event: libpfm4's tables would cost
 * every start a millisecond.
 */
#ifndef LAPWING_DEBUGINFO_EVENT_QUERY_H
#define LAPWING_DEBUGINFO_EVENT_QUERY_H

#include "translator/debuginfo/event.h"

/*
 * Runs lapwing-events, so that libpfm4's tables are loaded only when a script names one of its
 * events. 0, or -1 with *why (caller frees).
 */
int event_ask(const char *name, struct event *e, char **why);

#endif
