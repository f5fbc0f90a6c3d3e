/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * messages.h - messages from the module and what they said about it; commands to it; messages to
 * the user.
 */
#ifndef LAPWING_RUN_MESSAGES_H
#define LAPWING_RUN_MESSAGES_H

#include "runtime/rt.h"
#include "runtime/wire.h"

/* What the module said about itself; messages.c fills it. */
struct facts {
	struct wire_hello hello;
	int		have_hello, ready, started, exit_requested, stopped;
	s64		armed, unarmed;	/* probes, once started; those of wildcards and optional
					 * points that could not be armed */
	/* the module said that disarming takes long, and not yet that it is done */
	int		disarming;
	char		**formats;	/* kinds NUL text NUL; NULL holes */
	char		**probes;	/* point NUL where NUL */
	unsigned	nformats, nprobes;
	struct wire_summary summary;
	int		have_summary;
	unsigned	errors;		/* ERROR: lines printed */
};
extern struct facts facts;
/* A probe's point and place in the script; "?" when the module did not say. */
const char *probe_point(unsigned id);
const char *probe_where(unsigned id);

/* Reads and handles pending messages. */
void messages_handle(void);
void messages_free(void);
/* Sends a command with its payload; 0 or -errno. */
int command_send(u16 type, u32 id, const void *payload, u32 len);

void say(const char *format, ...) __attribute__((format(printf, 1, 2)));	/* with -vv */
void warn_text(const char *text);	/* "WARNING: text", once each, unless -w */

#endif
