/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dump.c - a program as text, in the shape of stap -p2: globals, functions,
 * probes with their locals, and what later passes found (locks, capture).
 *
 * Deterministic: tests compare it whole.
 */
#include "translator/program/dump.h"

#include "parser/ast_print.h"
#include "translator/program/options.h"

#include <string.h>

static void dump_var(const struct var *var, FILE *to)
{
	fputs(var->name, to);
	if (var->wrap || var->drop)
		fputc(var->wrap ? '%' : '?', to);
	if (var->size)
		fprintf(to, "[%" G_GINT64_FORMAT "]", var->size);
	fprintf(to, ":%s", type_word(var->type));
	for (int i = 0; i < var->arity && i < RT_MAXKEYS; i++)
		fprintf(to, "%s%s", i ? ", " : " [", type_word(var->keys[i]));
	if (var->arity > 0)
		fputc(']', to);
}

static void dump_statistic(const struct var *var, FILE *to)
{
	static const struct {
		unsigned bit;
		const char *word;
	} ops[] = {
		{ RT_COUNT, "count" },
		{ RT_SUM, "sum" },
		{ RT_MIN, "min" },
		{ RT_MAX, "max" },
		{ RT_VARIANCE, "variance" },
		{ RT_HIST_LOG, "hist_log" },
		{ RT_HIST_LINEAR, "hist_linear" },
		{ RT_QUANTILES, "percentile" },
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(ops); i++)
		if (var->statops & ops[i].bit)
			fprintf(to, " @%s", ops[i].word);
	if (var->statops & RT_HIST_LINEAR)
		fprintf(to, "(%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ")",
			var->low, var->high, var->step);
	if (var->shift >= 0)
		fprintf(to, " shift=%" G_GINT64_FORMAT, var->shift);
}

static void dump_global(const struct var *var, FILE *to)
{
	char *init = var->init ? ast_print(var->init) : NULL;

	dump_var(var, to);
	if (init)
		fprintf(to, " = %s", init);
	g_free(init);
	dump_statistic(var, to);
	if (var->tier_one)
		fputs(" per-cpu", to);
	if (var->iterators)
		fprintf(to, " iterators=%u", var->iterators);
	fputc('\n', to);
}

static void dump_locals(GPtrArray *locals, FILE *to)
{
	if (!locals || !locals->len)
		return;
	fputs("  # locals\n", to);
	for (unsigned i = 0; i < locals->len; i++) {
		fputs("  ", to);
		dump_var(locals->pdata[i], to);
		fputc('\n', to);
	}
}

static void dump_body(const struct program *prog, const struct ast_node *body, FILE *to)
{
	char *text;

	if (!prog->opt->verbose[2] || !body)
		return;
	text = ast_print(body);
	fprintf(to, "%s\n", text);
	g_free(text);
}

static void dump_function(const struct program *prog, const struct function *f, FILE *to)
{
	fprintf(to, "%s:%s (", f->name, type_word(f->type));
	for (unsigned i = 0; i < f->params->len; i++) {
		fputs(i ? ", " : "", to);
		dump_var(f->params->pdata[i], to);
	}
	fprintf(to, ")%s\n", f->recursive ? " recursive" : "");
	dump_locals(f->locals, to);
	dump_body(prog, f->node->u.function.body, to);
}

static void dump_locks(const struct program *prog, const struct probe *p, FILE *to)
{
	static const char *const modes[] = {
		[RT_LOCAL] = "local", [RT_READ] = "read", [RT_WRITE] = "write"
	};

	if (!p->locks || !p->locks->len)
		return;
	fputs("  # locks\n", to);
	for (unsigned i = 0; i < p->locks->len; i++) {
		const struct rt_lockuse *use = &g_array_index(p->locks, struct rt_lockuse, i);
		const struct var *var = prog->globals->pdata[use->global];

		fprintf(to, "  %s %s\n", var->name, modes[use->mode]);
	}
}

static void dump_capture(const struct probe *p, FILE *to)
{
	static const struct {
		unsigned bit;
		const char *word;
	} items[] = {
		{ RT_CAP_TASK, "task" },     { RT_CAP_COMM, "comm" },
		{ RT_CAP_TIME, "time" },     { RT_CAP_CPU, "cpu" },
		{ RT_CAP_IP, "ip" },         { RT_CAP_CRED, "cred" },
		{ RT_CAP_PARENT, "parent" }, { RT_CAP_KSYMS, "ksyms" },
		{ RT_CAP_USYMS, "usyms" },   { RT_CAP_LINES, "lines" },
		{ RT_CAP_ARGS, "args" },     { RT_CAP_SYSCALL, "syscall" },
		{ RT_CAP_TRACE, "trace" },   { RT_CAP_NAMES, "names" },
	};

	if (!p->capture)
		return;
	fputs("  # capture\n ", to);
	for (unsigned i = 0; i < G_N_ELEMENTS(items); i++)
		if (p->capture & items[i].bit)
			fprintf(to, " %s", items[i].word);
	fputc('\n', to);
}

static void dump_probe(const struct program *prog, const struct probe *p, FILE *to)
{
	char *condition = p->condition ? ast_print(p->condition) : NULL;

	fprintf(to, "%s /* <- %s */", p->point, p->written ? p->written : p->point);
	if (condition)
		fprintf(to, " if (%s)", condition);
	g_free(condition);
	fputc('\n', to);
	dump_locals(p->locals, to);
	dump_locks(prog, p, to);
	dump_capture(p, to);
	dump_body(prog, p->body, to);
}

void program_dump(const struct program *prog, FILE *to)
{
	if (prog->globals->len)
		fputs("# globals\n", to);
	for (unsigned i = 0; i < prog->globals->len; i++)
		dump_global(prog->globals->pdata[i], to);
	if (prog->functions->len)
		fputs("# functions\n", to);
	for (unsigned i = 0; i < prog->functions->len; i++)
		dump_function(prog, prog->functions->pdata[i], to);
	if (prog->probes->len)
		fputs("# probes\n", to);
	for (unsigned i = 0; i < prog->probes->len; i++)
		dump_probe(prog, prog->probes->pdata[i], to);
}
