/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.c - the tables at the end of the file: globals, locks, probes, the
 * families' rows, formats, "near" texts of errors, and rt_script, which refers to
 * all of them.
 */
#include "translator/emit/table.h"

#include "translator/debuginfo/debuginfo.h"
#include "translator/debuginfo/files.h"
#include "translator/emit/emit.h"
#include "translator/emit/out.h"
#include "translator/families/family.h"
#include "translator/program/options.h"

#include <stdlib.h>
#include <string.h>

/* Writes, in one line, the declaration for which the global was made: users know it by that. */
static void write_table(struct emitter *e, const struct loc *declaration)
{
	GString *line = g_string_new_len(declaration->src->text + declaration->start,
					 (gssize)(declaration->end - declaration->start));
	char **words = g_strsplit_set(line->str, " \t\n", -1), *literal;

	g_string_truncate(line, 0);
	for (unsigned i = 0; words[i]; i++)
		if (*words[i])
			g_string_append_printf(line, "%s%s", line->len ? " " : "", words[i]);
	literal = c_literal_raw(line->str);
	g_string_append_printf(e->out, ", .table = %s", literal);
	g_free(literal);
	g_strfreev(words);
	g_string_free(line, TRUE);
}

static void write_globals(struct emitter *e)
{
	if (!e->prog->globals->len)
		return;
	g_string_append(e->out, "\nstatic struct rt_global globals[] = {\n");
	for (unsigned i = 0; i < e->prog->globals->len; i++) {
		const struct var *v = g_ptr_array_index(e->prog->globals, i);
		const char *storage = v->is_array ? "RT_G_MAP"
				      : v->type == TYPE_STATS ? "RT_G_STAT"
				      : v->type == TYPE_STRING ? "RT_G_STRING"
				      : v->tier_one ? "RT_G_COUNTER"
				      : "RT_G_LONG";

		g_string_append_printf(e->out, "\t{ \"%s\", %s, %s, &%s, 0%s", v->name, storage,
				       v->only_local ? "RT_LOCK_ONLY"
				       : v->tier_one ? "RT_LOCK_PARTS"
				       : "0",
				       v->cname,
				       v->error_reads || !v->user ? ", .error_reads = 1" : "");
		if (v->is_array && v->loc.src && v->loc.src->stands_for)
			write_table(e, v->loc.src->stands_for);
		g_string_append(e->out, " },\n");
	}
	g_string_append(e->out, "};\n");
}

/* Probes that use the same globals in the same modes share a table of locks. */
static void write_locks(struct emitter *e)
{
	static const char *const modes[] = { "RT_LOCAL", "RT_READ", "RT_WRITE" };

	GHashTable *tables = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (unsigned i = 0; i < e->prog->probes->len; i++) {
		struct probe *p = g_ptr_array_index(e->prog->probes, i);
		GString *uses = g_string_new(NULL);

		for (unsigned k = 0; p->locks && k < p->locks->len; k++) {
			struct rt_lockuse use = g_array_index(p->locks, struct rt_lockuse, k);

			g_string_append_printf(uses, "%s { %u, %s }", k ? "," : "", use.global,
					       modes[use.mode]);
		}
		p->lock_table = uses->len ? g_hash_table_lookup(tables, uses->str) : NULL;
		if (uses->len && !p->lock_table) {
			p->lock_table = emit_text(e, "%s_locks", p->cname);
			g_string_append_printf(e->out,
					       "%sstatic const struct rt_lockuse %s[] = {%s };\n",
					       i ? "" : "\n", p->lock_table, uses->str);
			g_hash_table_insert(tables, g_string_free(uses, FALSE),
					    (void *)p->lock_table);
		} else {
			g_string_free(uses, TRUE);
		}
	}
	g_hash_table_destroy(tables);
}

/* The bits of way that matter: all to a stopwatch, else only what the kernel does. */
static int way_of(const struct probe *p)
{
	return p->stopwatch ? p->way : p->way & (RT_WAY_NOP5 | RT_WAY_REPLACES);
}

static void write_probes(struct emitter *e)
{
	static const char *const phases[] = { "RT_BEGIN", "RT_RUNNING", "RT_END", "RT_ERROR" };

	g_string_append(e->out, "\nstatic struct rt_probe probes[] = {\n");
	for (unsigned i = 0; i < e->prog->probes->len; i++) {
		const struct probe *p = g_ptr_array_index(e->prog->probes, i);
		char *point = c_literal_raw(p->point), *at = loc_string(&p->loc),
		     *where = c_literal_raw(at);

		g_string_append_printf(e->out,
				       "\t{ .handler = %s, .point = %s, .where = %s, .phase = %s",
				       p->handler, point, where, phases[p->phase]);
		if (p->written && strcmp(p->written, p->point)) {
			char *written = c_literal_raw(p->written);

			g_string_append_printf(e->out, ", .written = %s", written);
			g_free(written);
		}
		if (p->condition)
			g_string_append_printf(e->out, ", .condition = %s_if", p->cname);
		if (p->function)
			g_string_append_printf(e->out, ", .function = \"%s\"", p->function);
		if (p->lock_table)
			g_string_append_printf(e->out, ", .locks = %s, .nlocks = %u", p->lock_table,
					       p->locks->len);
		if (p->capture)
			g_string_append_printf(e->out, ", .capture = %u", p->capture);
		if (p->unread)
			g_string_append_printf(e->out, ", .unread = \"%s\"", p->unread);
		if (p->calibrates)
			g_string_append_printf(e->out, ", .calibrates = %s",
					       p->calibrates == RT_EMPTY_KERNEL
						       ? "RT_EMPTY_KERNEL"
						       : "RT_EMPTY_PROGRAM");
		if (way_of(p))
			g_string_append_printf(e->out, ", .way = %d", way_of(p));
		if (p->stopwatch)
			g_string_append_printf(e->out, ", .stopwatch = %u", p->stopwatch);
		if (p->keeper)
			g_string_append_printf(e->out, ", .keeper = %u", p->keeper->index + 1);
		if (p->keeps_for)
			g_string_append(e->out, ", .keeps = 1");
		g_string_append(e->out, " },\n");
		g_free(point);
		g_free(at);
		g_free(where);
	}
	g_string_append(e->out, "};\n");
}

static int (*compare_rows)(const struct probe *a, const struct probe *b);

static int compare(const void *a, const void *b)
{
	const struct probe *p = *(struct probe *const *)a, *q = *(struct probe *const *)b;
	int order = compare_rows ? compare_rows(p, q) : 0;

	return order ? order : (p->index > q->index) - (p->index < q->index);
}

static void write_note(struct emitter *e)
{
	const char *note = NULL;

	for (unsigned i = 0; !note && i < e->prog->probes->len; i++) {
		struct probe *p = g_ptr_array_index(e->prog->probes, i);

		note = p->family->note ? p->family->note(p) : NULL;
	}
	if (note)
		g_string_append_printf(e->out, "RT_NOTE(\"%s\");\n", note);
}

static void write_families(struct emitter *e)
{
	GString *uses = g_string_new(NULL);

	for (unsigned f = 0; families[f]; f++) {
		GPtrArray *rows = g_ptr_array_new();

		for (unsigned i = 0; i < e->prog->probes->len; i++) {
			struct probe *p = g_ptr_array_index(e->prog->probes, i);

			if (p->family == families[f] && !p->keeps_for)
				g_ptr_array_add(rows, p);
		}
		compare_rows = families[f]->compare;
		if (rows->len && families[f]->runtime) {
			qsort(rows->pdata, rows->len, sizeof(*rows->pdata), compare);
			g_string_append_printf(e->out, "static const %s %s_rows[] = {",
					       families[f]->row_type, families[f]->name);
			for (unsigned i = 0; i < rows->len; i++) {
				g_string_append(e->out, rows->len > 1 ? "\n\t" : " ");
				families[f]->emit_row(e->out, g_ptr_array_index(rows, i));
				g_string_append(e->out, rows->len > 1 ? "," : " ");
			}
			g_string_append(e->out, rows->len > 1 ? "\n};\n" : "};\n");
			g_string_append_printf(uses, "\t{ &rt_family_%s, %s_rows, %u },\n",
					       families[f]->runtime, families[f]->name, rows->len);
		}
		g_ptr_array_free(rows, TRUE);
	}
	g_string_append_printf(e->out, "static const struct rt_family_use families[] = {\n%s};\n",
			       uses->str);
	write_note(e);
	g_string_free(uses, TRUE);
}

/* A text for RT_SOURCE(): a string of the assembler in one of C, or in one for each line. */
static void append_asm(GString *out, const char *text)
{
	g_string_append_c(out, '"');
	for (; *text; text++) {
		if (*text == '\n')
			g_string_append(out, "\\\\n\"\n\t\"");
		else if (strchr("\"\\", *text))
			g_string_append_printf(out, "\\\\\\%c", *text);
		else if (g_ascii_isprint(*text))
			g_string_append_c(out, *text);
		else
			g_string_append_printf(out, "\\\\%03o", (unsigned char)*text);
	}
	g_string_append_c(out, '"');
}

static void write_excerpts(struct emitter *e)
{
	for (unsigned i = 0; i < e->near->len; i++) {
		g_string_append(e->out, "RT_SOURCE(");
		append_asm(e->out, g_ptr_array_index(e->near, i));
		g_string_append(e->out, ",\n\t");
		append_asm(e->out, g_ptr_array_index(e->excerpts, i));
		g_string_append(e->out, ");\n");
	}
}

static void write_texts(struct emitter *e)
{
	if (e->formats->len)
		g_string_append(e->out, "static const struct rt_format formats[] = {\n");
	for (unsigned i = 0; i < e->formats->len; i++)
		g_string_append_printf(e->out, "\t%s,\n", (char *)g_ptr_array_index(e->formats, i));
	if (e->formats->len)
		g_string_append(e->out, "};\n");
	if (e->near->len)
		g_string_append(e->out, "static const char *const near[] = {\n\t\"\",\n");
	for (unsigned i = 0; i < e->near->len; i++) {
		char *text = c_literal_raw(g_ptr_array_index(e->near, i));

		g_string_append_printf(e->out, "\t%s,\n", text);
		g_free(text);
	}
	if (e->near->len)
		g_string_append(e->out, "};\n");
	write_excerpts(e);
}

/*
 * A variable that kallsyms does not list can still be exported: it is a weak symbol that the module
 * loader resolves.
 */
static int is_for_loader(const struct emitter *e, const struct rt_symbol *s)
{
	return !s->module && e->prog->info && !debuginfo_lists(e->prog->info, s->name);
}

static void write_symbols(struct emitter *e)
{
	const GArray *symbols = e->prog->symbols;

	for (unsigned i = 0; i < symbols->len; i++) {
		const struct rt_symbol *s = &g_array_index(symbols, struct rt_symbol, i);

		if (is_for_loader(e, s))
			g_string_append_printf(
				e->out,
				"extern const char symbol%u[] __asm__(\"%s\") __attribute__((weak));\n",
				i, s->name);
	}
	if (symbols->len)
		g_string_append(e->out, "static const struct rt_symbol symbols[] = {\n");
	for (unsigned i = 0; i < symbols->len; i++) {
		const struct rt_symbol *s = &g_array_index(symbols, struct rt_symbol, i);

		g_string_append_printf(e->out, "\t{ \"%s\"", s->name);
		if (s->module)
			g_string_append_printf(e->out, ", .module = \"%s\"", s->module);
		if (s->offset)
			g_string_append_printf(e->out, ", .offset = %lld", s->offset);
		if (is_for_loader(e, s))
			g_string_append_printf(e->out, ", .exported = symbol%u", i);
		g_string_append(e->out, " },\n");
	}
	if (symbols->len)
		g_string_append(e->out, "};\n");
}

static void note_event(GString *note, const struct rt_event *v, u64 period)
{
	g_string_append_printf(note, "%u %llx %llx %llx %u %u %llu %s;", v->type, v->config[0],
			       v->config[1], v->config[2], v->precise, v->exclude, period, v->name);
}

/*
 * Writes the events' rows, and a note on all counted events for lapwing-run to read before loading.
 */
static void write_events(struct emitter *e)
{
	const GArray *events = e->prog->events;
	GString *note = g_string_new(NULL);

	if (events->len)
		g_string_append(e->out, "static const struct rt_event events[] = {\n");
	for (unsigned i = 0; i < events->len; i++) {
		const struct rt_event *v = &g_array_index(events, struct rt_event, i);
		char *name = c_literal_raw(v->name);

		g_string_append_printf(
			e->out, "\t{ %s, %u, %u, %u, { 0x%llx, 0x%llx, 0x%llx } },\n", name,
			v->type, v->precise, v->exclude, v->config[0], v->config[1], v->config[2]);
		note_event(note, v, 0);
		g_free(name);
	}
	if (events->len)
		g_string_append(e->out, "};\n");
	for (unsigned i = 0; i < e->prog->probes->len; i++) {
		const struct probe *p = e->prog->probes->pdata[i];
		u64 period = 0;
		const struct rt_event *v =
			p->family->samples ? p->family->samples(p, &period) : NULL;

		if (v && period)
			note_event(note, v, period);
	}
	if (note->len) {
		char *text = c_literal_raw(note->str);

		g_string_append_printf(e->out, "RT_EVENTS(%s);\n", text);
		g_free(text);
	}
	g_string_free(note, TRUE);
}

/* If limits are given, hits in tasks count, too. The runtime counts cycles in 32 bits. */
static void write_overload(struct emitter *e)
{
	const struct options *opt = e->prog->opt;
	gint64 interval = options_define(opt, "STP_OVERLOAD_INTERVAL", 0),
	       threshold = options_define(opt, "STP_OVERLOAD_THRESHOLD", -1);

	if (opt->no_time_limits || options_define(opt, "STP_NO_OVERLOAD", 0) ||
	    options_define(opt, "STAP_NO_OVERLOAD", 0))
		return;
	g_string_append_printf(
		e->out, " .overload_interval = %lld, .overload_threshold = %lld,",
		(long long)(interval > 0 ? MIN(interval, G_MAXUINT32) : 1000000000),
		(long long)(threshold >= 0 ? MIN(threshold, G_MAXUINT32) : 500000000));
	if (interval > 0 || threshold >= 0)
		g_string_append(e->out, " .overload_tasks = 1,");
}

static void write_limits(struct emitter *e)
{
	const struct options *opt = e->prog->opt;

	g_string_append_printf(
		e->out, "\t.limits = { .maxaction = %lld, .maxnesting = %lld, .maxtrylock = %lld, ",
		(long long)options_maxaction(opt), (long long)options_define(opt, "MAXNESTING", 20),
		(long long)(opt->no_time_limits ? G_MAXINT32
						: options_define(opt, "MAXTRYLOCK", 100)));
	g_string_append_printf(e->out,
			       ".trylock_us = %lld,\n\t\t.maxerrors = %lld, .maxskipped = %lld,",
			       (long long)options_define(opt, "TRYLOCKDELAY", 10),
			       (long long)(opt->quiet_errors
						   ? G_MAXUINT32
						   : options_define(opt, "MAXERRORS", 0)),
			       (long long)(opt->quiet_errors
						   ? G_MAXUINT32
						   : options_define(opt, "MAXSKIPPED", 100)));
	if (opt->quiet_errors)
		g_string_append(e->out, " .quiet_errors = 1,");
	write_overload(e);
	g_string_append_printf(
		e->out,
		"\n\t\t.minstack = %lld, .kretactive = %lld, .arena = %lld, .maxbacktrace = %lld,\n\t\t",
		(long long)options_define(opt, "MINSTACKSPACE", 1024),
		(long long)options_define(opt, "KRETACTIVE", 0), (long long)(32 * e->maxstring),
		(long long)options_define(opt, "MAXBACKTRACE", 20));
	g_string_append_printf(
		e->out,
		".map_string = %lld, .hist_width = %lld, .hist_elision = %lld, .user_stack = %d },\n",
		(long long)CLAMP(options_define(opt, "MAP_STRING_LENGTH", e->maxstring), 2,
				 e->maxstring),
		(long long)CLAMP(options_define(opt, "HIST_WIDTH", 50), 1, RT_HIST_WIDTH_MAX),
		(long long)CLAMP(options_define(opt, "HIST_ELISION", 2), -1, 128),
		opt->unwind_dwarf ? 6144 : 0);
}

void emit_tables(struct emitter *e)
{
	struct program *prog = e->prog;
	const struct ast_node *script = g_ptr_array_index(prog->ast->files, 0);
	char *name = c_literal_raw(script->loc.src ? script->loc.src->name : "<input>");
	unsigned capture = 0;

	for (unsigned i = 0; i < prog->probes->len; i++)
		capture |= ((struct probe *)g_ptr_array_index(prog->probes, i))->capture;
	write_globals(e);
	write_locks(e);
	write_probes(e);
	g_string_append_c(e->out, '\n');
	write_families(e);
	write_texts(e);
	write_symbols(e);
	write_events(e);
	if (e->prog->opt->runtime != RUNTIME_USER && debuginfo_build(prog->info))
		g_string_append_printf(e->out, "RT_KERNEL(\"%s\");\n", debuginfo_build(prog->info));
	g_string_append_printf(
		e->out,
		"\nconst struct rt_script rt_script = {\n\t.abi = RT_ABI, .maxstring = %lld, .name = %s,\n",
		(long long)e->maxstring, name);
	if (prog->globals->len)
		g_string_append_printf(e->out, "\t.globals = globals, .nglobals = %u,\n",
				       prog->globals->len);
	g_string_append_printf(e->out, "\t.probes = probes, .nprobes = %u,\n", prog->probes->len);
	g_string_append(
		e->out,
		"\t.families = families, .nfamilies = sizeof(families) / sizeof(families[0]),\n");
	if (e->formats->len)
		g_string_append_printf(e->out, "\t.formats = formats, .nformats = %u,\n",
				       e->formats->len);
	if (e->near->len)
		g_string_append_printf(e->out, "\t.near = near, .nnear = %u,\n", e->near->len + 1);
	if (prog->symbols->len)
		g_string_append_printf(e->out, "\t.symbols = symbols, .nsymbols = %u,\n",
				       prog->symbols->len);
	if (prog->events->len)
		g_string_append_printf(e->out, "\t.events = events, .nevents = %u,\n",
				       prog->events->len);
	if (prog->ast->floors)
		g_string_append_printf(e->out, "\t.nfloors = %u,\n", prog->ast->floors);
	if (capture)
		g_string_append_printf(e->out, "\t.capture = %u,\n", capture);
	if (prog->joins)
		g_string_append_printf(e->out, "\t.joins = %u,\n", prog->joins);
	write_limits(e);
	g_string_append(e->out, "};\n");
	g_free(name);
}
