/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts.h - what the module has told of itself (run.h's facts), commands to it, and texts for the
 * user.
 */
#ifndef LAPWING_RUN_FACTS_H
#define LAPWING_RUN_FACTS_H

#include "runtime/run/run.h"

/* A probe's point and place in the script; "?" when the module did not say. */
const char *probe_point(unsigned id);
const char *probe_where(unsigned id);
void facts_free(void);
/* Sends a command with its payload; 0 or -errno. */
int command_send(u16 type, u32 id, const void *payload, u32 len);
void warn_text(const char *text);	/* "WARNING: text", once each, unless -w */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));	/* with -vv */

#endif
