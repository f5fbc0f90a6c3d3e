/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts.h - what the module has reported about itself (run.h's facts), commands to it, and messages
 * to the user.
 */
#ifndef LAPWING_RUN_FACTS_H
#define LAPWING_RUN_FACTS_H

#include "runtime/run/run.h"

/* A probe's point and place in the script; "?" if the module did not report them. */
const char *probe_point(unsigned id);
const char *probe_where(unsigned id);
void facts_free(void);
/* Sends a command with its payload; 0 or -errno. */
int command_send(u16 type, u32 id, const void *payload, u32 len);
/*
 * "WARNING: text" on standard error and, before the run's books are written, in the capture.
 * warn_text(): not printed with -w, and each text once. warn_script(), of the script's warn(): after
 * 1000 texts they are only counted, which warn_rest() says at the run's end.
 */
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void warn_text(const char *text);
void warn_script(const char *text);
void warn_rest(void);
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));	/* with -v */

#endif
