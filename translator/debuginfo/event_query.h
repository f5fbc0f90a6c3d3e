/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_query.h - what libpfm4 says of an event, from lapwing-events: its tables cost every start a
 * millisecond.
 */
#ifndef LAPWING_DEBUGINFO_EVENT_QUERY_H
#define LAPWING_DEBUGINFO_EVENT_QUERY_H

#include "translator/debuginfo/event.h"

/*
 * Asks lapwing-events, so that libpfm4's tables are loaded only when a script names an event of
 * theirs.
 */
int event_ask(const char *name, struct event *e, char **why);

#endif
