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

static void put_warning(const char *text)
{
	fputs("WARNING: ", stderr);
	terminal_print(stderr, text);
	fputc('\n', stderr);
}

void warn(const char *format, ...)
{
	char *text;
	va_list args;
	int rc;

	va_start(args, format);
	rc = vasprintf(&text, format, args);
	va_end(args);
	if (rc < 0)
		return;
	if (opt.capture)
		capture_warn(text);
	put_warning(text);
	free(text);
}

#define WARNINGS_MAX	1000

static char *seen[WARNINGS_MAX];
static unsigned nseen;
static u64 unprinted;

static int was_seen(const char *text)
{
	for (unsigned i = 0; i < nseen; i++)
		if (!strcmp(seen[i], text))
			return 1;
	return 0;
}

void warn_text(const char *text)
{
	char *copy;

	if (was_seen(text))
		return;
	copy = nseen < WARNINGS_MAX ? strdup(text) : NULL;
	if (copy)
		seen[nseen++] = copy;
	if (opt.capture)
		capture_warn(text);
	if (!opt.no_warnings)
		put_warning(text);
}

/* A handler on a hot path may warn a million times. */
void warn_script(const char *text)
{
	if (nseen == WARNINGS_MAX && !was_seen(text))
		unprinted++;
	else
		warn_text(text);
}

void warn_rest(void)
{
	if (unprinted && !opt.no_warnings)
		warn("%llu of the script's warnings, after %u different ones, are not shown", unprinted,
		     nseen);
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
	while (nseen)
		free(seen[--nseen]);
	free(facts.formats);
	free(facts.probes);
}
