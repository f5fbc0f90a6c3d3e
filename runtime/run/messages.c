/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * messages.c - handles the module's messages, and answers them. Nothing in a message is trusted.
 */
#include "runtime/run/messages.h"

#include "lib/pace.h"
#include "lib/progress.h"
#include "runtime/run/account.h"
#include "runtime/run/child.h"
#include "runtime/run/facts.h"
#include "runtime/run/output.h"
#include "runtime/run/run.h"
#include "runtime/run/script_error.h"
#include "runtime/run/skips.h"
#include "runtime/run/stacks.h"
#include "runtime/run/symbol_tables.h"
#include "runtime/run/trace.h"
#include "runtime/run/track.h"
#include "runtime/run/unread.h"
#include "symbolize/kernel.h"
#include "symbolize/symfile.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- handlers, one per type -----------------------------------------------------*/

static int is_text(const char *p, u32 n)
{
	return n && memchr(p, 0, n);
}

static void on_hello(const struct wire_msg *m, const void *body, u32 n)
{
	if (n < sizeof(facts.hello))
		return;
	memcpy(&facts.hello, body, sizeof(facts.hello));
	if (facts.hello.magic != WIRE_MAGIC || facts.hello.version != WIRE_VERSION ||
	    facts.hello.abi != RT_ABI || !facts.hello.ncpus || facts.hello.nrings > 65536) {
		run_error_show(RUN_MODULE_VERSION, opt.module);
		facts.errors++;
		facts.stopped = 1;
		return;
	}
	facts.have_hello = 1;
	say("lapwing-run: globals take %llu KB%s", facts.hello.memory >> 10,
	    facts.hello.shared ? "" : "\n");
	if (facts.hello.shared)
		say(", %u array%s shared by all CPUs for size\n", facts.hello.shared,
		    facts.hello.shared == 1 ? " is" : "s are");
}

static void keep(char ***list, unsigned *count, u32 id, const void *body, u32 n)
{
	if (id >= *count) {
		char **more = realloc(*list, (id + 1U) * sizeof(*more));

		if (!more)
			return;
		memset(more + *count, 0, (id + 1U - *count) * sizeof(*more));
		*list = more;
		*count = id + 1U;
	}
	free((*list)[id]);
	(*list)[id] = calloc(1, n + 2);
	if ((*list)[id])
		memcpy((*list)[id], body, n);
}

static void on_format(const struct wire_msg *m, const void *body, u32 n)
{
	keep(&facts.formats, &facts.nformats, m->id, body, n);
	if (is_text(body, n))
		trace_want(body);
}

static void on_process(const struct wire_msg *m, const void *body, u32 n)
{
	track_take(body, n);
}

static void on_probe(const struct wire_msg *m, const void *body, u32 n)
{
	keep(&facts.probes, &facts.nprobes, m->id, body, n);
}

static struct symfile_want *wants;
static unsigned nwants;

static void on_need(const struct wire_msg *m, const void *body, u32 n)
{
	const char *name = body, *module;
	struct symfile_want *more;

	if (!is_text(name, n))
		return;
	module = name + strlen(name) + 1;
	if (module >= name + n || !is_text(module, n - (u32)(module - name)) || !*module)
		module = NULL;
	more = realloc(wants, (nwants + 1) * sizeof(*more));
	if (!more)
		return;
	wants = more;
	wants[nwants++] = (struct symfile_want){ .name = strdup(name),
						 .module = module ? strdup(module) : NULL,
						 .id = m->id,
						 .is_data = m->type == WIRE_NEED_DATA ||
							    m->type == WIRE_LIKE_DATA,
						 .is_optional = m->type == WIRE_LIKE ||
								m->type == WIRE_LIKE_DATA };
}

/* All needs are known: kallsyms is read once for them. */
static void on_ready(const struct wire_msg *m, const void *body, u32 n)
{
	int rc = nwants ? symfile_resolve(wants, nwants) : 0, full = 0;

	if (rc) {
		run_error_show(RUN_KALLSYMS,
			       rc == -1 ? "/proc/kallsyms cannot be read" : "they are hidden");
		facts.errors++;
	}
	for (unsigned i = 0; i < nwants; i++) {
		say("lapwing-run: %s: %u address%s\n", wants[i].name, wants[i].n,
		    wants[i].n == 1 ? "" : "es");
		full |= command_send(WIRE_BIND, wants[i].id, wants[i].addresses, wants[i].n * 8) ==
			-ENOMEM;
		free((char *)wants[i].name);
		free((char *)wants[i].module);
	}
	if (full) {
		run_error_show(RUN_MEMORY, NULL);
		facts.errors++;
	}
	free(wants);
	wants = NULL;
	nwants = 0;
	facts.ready = 1;
}
static void on_exit_asked(const struct wire_msg *m, const void *body, u32 n)
{
	facts.exit_asked = 1;
}
static void on_stopped(const struct wire_msg *m, const void *body, u32 n) { facts.stopped = 1; }

static void on_started(const struct wire_msg *m, const void *body, u32 n)
{
	facts.started = 1;
	symbols_look();
	skips_report();
	say("lapwing-run: %u probes armed, %u skipped\n", facts.hello.nprobes - skips_count(),
	    skips_count());
}

static void on_warning(const struct wire_msg *m, const void *body, u32 n)
{
	if (!is_text(body, n))
		return;
	if (m->id)
		warn_script(body);
	else
		warn_text(body);
}

static void on_error(const struct wire_msg *m, const void *body, u32 n)
{
	const struct wire_error *error = body;
	const char *text = (const char *)(error + 1);

	facts.errors++;
	if (n <= sizeof(*error) || !is_text(text, n - (u32)sizeof(*error)))
		return;
	facts.handler_failed |= error->near != 0;
	script_error(error, text);
}

static void on_skipped(const struct wire_msg *m, const void *body, u32 n)
{
	skips_take(m->id, body, n);
}

/* Output that was printed before the command comes first. */
static void on_system(const struct wire_msg *m, const void *body, u32 n)
{
	output_drain(1);
	if (is_text(body, n))
		child_run(body);
}

static void on_next_file(const struct wire_msg *m, const void *body, u32 n)
{
	if (!opt.file_bytes)
		warn_text(
			"switch_file() has no effect without -S and -o");
	else
		output_next();
}

static void on_image(const struct wire_msg *m, const void *body, u32 n)
{
	const struct wire_image_id *id = body;

	if (n >= sizeof(*id))
		symbols_asked(id);
}

static void on_account(const struct wire_msg *m, const void *body, u32 n)
{
	if (n >= sizeof(struct wire_account))
		account_probe(m->id, body);
}

static void on_unread(const struct wire_msg *m, const void *body, u32 n)
{
	unread_take(m->id, body, n);
}

static void on_global_account(const struct wire_msg *m, const void *body, u32 n)
{
	const struct wire_global_account *g = body;
	const char *name = (const char *)(g + 1), *end = (const char *)body + n, *table;

	if (n <= sizeof(*g) || !is_text(name, (u32)(end - name)))
		return;
	table = name + strlen(name) + 1;
	if (table < end && is_text(table, (u32)(end - table)))
		account_global(m->id, g, name, table);
}

static void on_summary(const struct wire_msg *m, const void *body, u32 n)
{
	if (n < sizeof(facts.summary))
		return;
	memcpy(&facts.summary, body, sizeof(facts.summary));
	facts.have_summary = 1;
}

static void on_progress(const struct wire_msg *m, const void *body, u32 n)
{
	static const char *doing;
	const struct wire_progress *p = body;
	const char *now = p->disarming ? "disarming" : "arming";

	if (n < sizeof(*p) || !p->total || p->done > p->total)
		return;
	facts.disarming = p->disarming && p->done < p->total;
	if (doing != now)
		pace_begin("lapwing-run", now, opt.verbose > 1);
	doing = now;
	if (p->done < p->total)
		pace_show(p->done, p->total, -1);
	else
		pace_end();
}

static void on_stack(const struct wire_msg *m, const void *body, u32 n)
{
	stacks_keep(body, n);
}

static void (*const handlers[])(const struct wire_msg *m, const void *body, u32 n) = {
	[WIRE_HELLO] = on_hello, [WIRE_FORMAT] = on_format, [WIRE_PROBE] = on_probe, [WIRE_NEED] = on_need,
	[WIRE_NEED_DATA] = on_need, [WIRE_LIKE] = on_need, [WIRE_LIKE_DATA] = on_need,
	[WIRE_READY] = on_ready, [WIRE_STARTED] = on_started, [WIRE_WARNING] = on_warning, [WIRE_ERROR] = on_error,
	[WIRE_EXIT] = on_exit_asked, [WIRE_IMAGE] = on_image, [WIRE_ACCOUNT] = on_account,
	[WIRE_GLOBAL_ACCOUNT] = on_global_account, [WIRE_SUMMARY] = on_summary, [WIRE_STACK] = on_stack, [WIRE_STOPPED] = on_stopped,
	[WIRE_SYSTEM] = on_system, [WIRE_NEXT_FILE] = on_next_file, [WIRE_PROGRESS] = on_progress, [WIRE_UNREAD] = on_unread,
	[WIRE_SKIPPED] = on_skipped, [WIRE_PROCESS] = on_process,
};

void messages_handle(void)
{
	static u8 buf[4 * WIRE_MSG_MAX] __attribute__((aligned(8)));
	long n;

	while ((n = session->messages(buf, sizeof(buf))) > 0) {
		for (long at = 0; n - at >= (long)sizeof(struct wire_msg); ) {
			const struct wire_msg *m = (const struct wire_msg *)(buf + at);

			if (m->len < sizeof(*m) || (m->len & 7) || (long)m->len > n - at) {
				run_error_show(RUN_DAMAGED, "module's stream of messages");
				facts.errors++;
				return;
			}
			if (m->type != WIRE_PROGRESS)
				progress_hide();
			if (m->type < sizeof(handlers) / sizeof(handlers[0]) && handlers[m->type])
				handlers[m->type](m, m + 1, m->len - (u32)sizeof(*m));
			at += m->len;
		}
	}
}
