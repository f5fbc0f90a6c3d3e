// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * refuse.c - see refuse.h.
 */
#include "runtime/core/refuse.h"

#include "runtime/core/core.h"
#include "runtime/core/errno.h"
#include "runtime/core/fmt.h"
#include "runtime/core/port.h"

/* Its size is what a frame of 512 bytes, the core's limit, has room for. */
struct error_message {
	struct sink	sink;		/* into text */
	struct wire_error error;
	char		text[360];
};

static int has_sent;			/* an error; set once */

static void error_begin(struct error_message *m, enum run_error row)
{
	m->sink = (struct sink){ .p = m->text, .size = sizeof(m->text) - 1 };
	m->error = (struct wire_error){ .row = row };
}

static void error_send(struct error_message *m, enum run_error row, const char *what)
{
	run_error_put(&m->sink, row, what);
	m->text[m->sink.used] = 0;
	has_sent = 1;
	runtime_message(WIRE_ERROR, 0, &m->error, (u32)sizeof(m->error) + m->sink.used + 1);
}

void core_error(enum run_error row, const char *what)
{
	struct error_message m;

	error_begin(&m, row);
	error_send(&m, row, what);
}

/* Out of line: its frame and the caller's are not needed at once. */
static __attribute__((__noinline__)) int probe_skip(const struct rt_probe *p, enum run_error row,
						    const char *what)
{
	struct {
		struct wire_skipped skipped;
		char		what[128];
	} m = { .skipped = { .row = row } };
	struct sink s = { .p = m.what, .size = sizeof(m.what) - 1 };

	sink_text(&s, what ? what : "");
	m.what[s.used] = 0;
	runtime_message(WIRE_SKIPPED, (u32)(p - rt_script.probes), &m,
			(u32)sizeof(m.skipped) + s.used + 1);
	return 0;
}

int refuse_probe(const struct rt_probe *p, int optional, int rc, enum run_error row,
		 const char *what)
{
	struct error_message m;

	if (optional)
		return probe_skip(p, row, what);
	error_begin(&m, row);
	sink_text(&m.sink, "probe ");
	sink_text(&m.sink, p->point);
	sink_text(&m.sink, " registration error [man warning::pass5] (rc ");
	fmt_decimal(&m.sink, rc);
	sink_text(&m.sink, "): ");
	error_send(&m, row, what);
	return rc;
}

static const char *error_name(int rc)
{
	const char *name = errno_name(rc);

	return name ? name : "an unknown error";
}

int refuse_errno(const struct rt_probe *p, int optional, int rc, const struct refusal *table)
{
	return refuse_probe(p, optional, rc, refusal_row(table, rc), error_name(rc));
}

void core_start_failed(const char *part, int rc)
{
	char text[64];
	struct sink s = { .p = text, .size = sizeof(text) - 1 };

	if (has_sent)
		return;
	sink_text(&s, part);
	sink_text(&s, ": ");
	sink_text(&s, error_name(rc));
	text[s.used] = 0;
	core_error(rc == -ENOMEM ? RUN_MEMORY : RUN_START, text);
}
