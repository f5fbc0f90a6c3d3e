/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts.c - see facts.h.
 */
#include "runtime/run/facts.h"

#include "runtime/run/capture.h"
#include "runtime/run/terminal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct facts facts;

void say(const char *format, ...)
{
	va_list args;

	if (opt.verbose < 2)
		return;
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
}

/* Prints each text once: a handler on a hot path may warn a million times. */
void warn_text(const char *text)
{
	static char **seen;
	static unsigned n;

	for (unsigned i = 0; i < n; i++)
		if (!strcmp(seen[i], text))
			return;
	if (n < 1000) {
		char **more = realloc(seen, (n + 1) * sizeof(*more));

		if (more) {
			seen = more;
			seen[n++] = strdup(text);
		}
	}
	if (opt.capture)
		capture_warn(text);
	if (opt.no_warnings)
		return;
	fputs("WARNING: ", stderr);
	terminal_print(stderr, text);
	fputc('\n', stderr);
}

int command_send(u16 type, u32 id, const void *payload, u32 len)
{
	struct wire_msg *m;
	u32 whole = (u32)((sizeof(*m) + len + 7) & ~7UL);
	long rc;

	m = calloc(1, whole);
	if (!m)
		return -ENOMEM;
	m->len = whole;
	m->type = type;
	m->id = id;
	memcpy(m + 1, payload, len);
	rc = session->command(m, whole);
	free(m);
	return rc < 0 ? (int)rc : 0;
}

/* Both strings are terminated: keep() in messages.c adds NULs. */
const char *probe_point(unsigned id)
{
	return id < facts.nprobes && facts.probes[id] ? facts.probes[id] : "?";
}

const char *probe_where(unsigned id)
{
	const char *point = probe_point(id);

	return strcmp(point, "?") ? point + strlen(point) + 1 : "?";
}

void facts_free(void)
{
	while (facts.nformats)
		free(facts.formats[--facts.nformats]);
	while (facts.nprobes)
		free(facts.probes[--facts.nprobes]);
	free(facts.formats);
	free(facts.probes);
}
