/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export_chrome.c - the Trace Event Format, which Chrome's trace viewer and Perfetto show: each record of a script, or each
 * sample, as an instant of its thread, with its columns, or its stack, as arguments. Times are in us from the start.
 */
#include "report/export.h"
#include "report/export_json.h"
#include "report/records.h"

#include <string.h>

static void add_name(struct data *d, const char *what, gint32 pid, gint32 tid, const char *name)
{
	data_object(d, NULL);
	data_text(d, "ph", "M");
	data_text(d, "name", what);
	export_int(d, "pid", pid);
	export_int(d, "tid", tid);
	data_object(d, "args");
	data_text(d, "name", name);
	data_close(d);
	data_close(d);
}

/* A process has all names that it had, one for each program that it executed. */
static void add_processes(struct data *d, const struct profile *p)
{
	GHashTable *names = g_hash_table_new_full(NULL, NULL, NULL, NULL);
	GHashTableIter each;
	gpointer pid, text;

	for (guint i = 0; i < p->processes->len; i++) {
		const struct profile_process *process = PROFILE_AT(p->processes, process, i);
		GString *name = g_hash_table_lookup(names, GINT_TO_POINTER(process->pid));

		if (name && g_str_has_suffix(name->str, process->name))
			continue;
		if (name)
			g_string_append(name, ", ");
		else
			g_hash_table_insert(names, GINT_TO_POINTER(process->pid),
					    name = g_string_new(NULL));
		g_string_append(name, process->name);
	}
	g_hash_table_iter_init(&each, names);
	while (g_hash_table_iter_next(&each, &pid, &text)) {
		add_name(d, "process_name", GPOINTER_TO_INT(pid), GPOINTER_TO_INT(pid),
			 ((GString *)text)->str);
		g_string_free(text, TRUE);
	}
	g_hash_table_unref(names);
}

static void add_sample(struct data *d, const struct profile *p, const struct profile_sample *s)
{
	GString *text = g_string_new(NULL);

	if (s->node == PROFILE_NONE)
		g_string_append(text, PROFILE_AT(p->events, event, s->event)->name);
	else
		record_function_text(text, p, PROFILE_AT(p->nodes, node, s->node)->place);
	data_text(d, "name", text->str);
	data_object(d, "args");
	export_int(d, "cpu", s->cpu);
	export_int(d, "weight", (gint64)s->weight);
	if (s->count > 1)
		export_int(d, "samples", (gint64)s->count);
	g_string_truncate(text, 0);
	record_stack_text(text, p, s->node);
	data_text(d, "stack", text->str);
	data_close(d);
	g_string_free(text, TRUE);
}

/* It is called as its first column, if that is a text, else as its probe. */
static void add_record(struct data *d, const struct profile *p, const struct profile_record *r)
{
	const struct profile_call *call = PROFILE_AT(p->calls, call, r->call);
	GString *text = g_string_new(NULL);
	int has_cpu = 0;

	if (call->n && PROFILE_AT(p->columns, column, call->first)->kind == COLUMN_TEXT)
		record_column_text(text, p, r, 0);
	else if (r->probe < p->probes->len)
		g_string_append(text, p->probes->pdata[r->probe]);
	data_text(d, "name", text->str);
	data_object(d, "args");
	for (guint32 i = 0; i < call->n; i++) {
		const struct profile_column *column = PROFILE_AT(p->columns, column, call->first + i);

		has_cpu |= !strcmp(column->name, "cpu");
		g_string_truncate(text, 0);
		record_column_text(text, p, r, i);
		if (column->kind == COLUMN_NUMBER)
			data_value(d, column->name, "%s", text->str);
		else
			data_text(d, column->name, text->str);
	}
	if (!has_cpu)
		export_int(d, "cpu", r->cpu);
	data_close(d);
	g_string_free(text, TRUE);
}

static void add_instant(struct data *d, const struct profile *p, guint i)
{
	const struct profile_sample *s = PROFILE_AT(p->samples, sample, i);
	const struct profile_thread *t = PROFILE_AT(p->threads, thread, s->thread);

	data_object(d, NULL);
	data_text(d, "ph", "i");
	data_text(d, "s", "t");		/* of a thread */
	export_int(d, "pid", PROFILE_AT(p->processes, process, t->process)->pid);
	export_int(d, "tid", t->tid);
	data_value(d, "ts", "%.3f", (double)(s->time - p->start) / 1e3);
	if (p->records->len)		/* as many: records_to_samples() */
		add_record(d, p, PROFILE_AT(p->records, record, i));
	else
		add_sample(d, p, s);
	data_close(d);
}

char *export_chrome(const struct profile *p, const struct sample_filter *filter, gsize *size)
{
	struct export_text e;
	struct data *d = &e.data;

	export_begin(&e, DATA_JSON, NULL);
	data_text(d, "displayTimeUnit", "ns");
	data_array(d, "traceEvents");
	add_processes(d, p);
	for (guint i = 0; i < p->threads->len; i++) {
		const struct profile_thread *t = PROFILE_AT(p->threads, thread, i);

		if (*t->name)
			add_name(d, "thread_name", PROFILE_AT(p->processes, process, t->process)->pid,
				 t->tid, t->name);
	}
	for (guint i = 0; i < p->samples->len; i++)
		if (filter_passes(p, PROFILE_AT(p->samples, sample, i), filter))
			add_instant(d, p, i);
	data_close(d);
	return export_end(&e, size);
}
