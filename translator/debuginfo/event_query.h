/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_query.h - queries lapwing-events for events of libpfm4.
 */
#ifndef LAPWING_DEBUGINFO_EVENT_ASK_H
#define LAPWING_DEBUGINFO_EVENT_ASK_H

struct event;

/*
 * Encodes an event: 0, or -1 with *why. A program of its own loads libpfm4's tables, so that other
 * scripts need not.
 */
int event_query(const char *name, struct event *e, char **why);

#endif
