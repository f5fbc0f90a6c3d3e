/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * annotate.c - lapwing-annotate, which `lapwing annotate` runs: instructions of a function with the
 * samples that fell on them, their source lines if the capture has them, basic blocks, and the
 * control flow graph for Graphviz.
 *
 * A sample falls on the instruction that was to run next; a clock's sample falls after the one that
 * the processor waited for.
 */
#include "lib/sorted.h"
#include "report/code.h"
#include "report/heading.h"
#include "report/report_main.h"

#include <stdio.h>
#include <string.h>

#define FAILED_SHOWN	3	/* of functions that cannot be shown: so many are named */

static const char who[] = "lapwing annotate";

static struct annotate_options {
	const char *function;
	int	limit, blocks, dot;
} opt = { .limit = 1 };
static enum data_form form;

struct target { guint32 image, function; guint64 weight; };

/* ---- what to show --------------------------------------------------------------*/

static gint heavier(gconstpointer a, gconstpointer b)
{
	const struct target *t = a, *u = b;

	return (t->weight < u->weight) - (t->weight > u->weight);
}

/* Functions with samples, most weight first. */
static GArray *find_targets(const struct profile *p, const struct sample_filter *filter)
{
	GHashTable *found = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	GArray *targets = g_array_new(FALSE, FALSE, sizeof(struct target));

	for (guint i = 0; i < p->samples->len; i++) {
		const struct profile_sample *s = PROFILE_AT(p->samples, sample, i);
		struct target t = { 0 };
		gint64 key;
		guint id;

		if (s->node == PROFILE_NONE || !filter_passes(p, s, filter))
			continue;
		t.image = PROFILE_AT(p->places, place, PROFILE_AT(p->nodes, node, s->node)->place)
				  ->image;
		t.function =
			PROFILE_AT(p->places, place, PROFILE_AT(p->nodes, node, s->node)->place)
				->function;
		key = (gint64)((guint64)t.image << 32 | t.function);
		if (t.function == PROFILE_NONE)
			continue;
		id = GPOINTER_TO_UINT(g_hash_table_lookup(found, &key));
		if (!id) {
			g_array_append_val(targets, t);
			id = targets->len;
			g_hash_table_insert(found, g_memdup2(&key, sizeof(key)),
					    GUINT_TO_POINTER(id));
		}
		g_array_index(targets, struct target, id - 1).weight += s->weight;
	}
	g_array_sort(targets, heavier);
	g_hash_table_destroy(found);
	return targets;
}

static int is_wanted(const struct profile *p, const struct target *t)
{
	const GArray *functions = PROFILE_AT(p->images, image, t->image)->functions;

	return !opt.function ||
	       g_pattern_match_simple(opt.function,
				      PROFILE_AT(functions, function, t->function)->name);
}

/* ---- instructions --------------------------------------------------------------*/

static double percent(guint64 part, guint64 all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

/* Events that together give cycles per instruction: PROFILE_NONE: none. */
static void find_cpi(const struct profile *p, guint32 *cycles, guint32 *instructions)
{
	*cycles = *instructions = PROFILE_NONE;
	for (guint i = 0; i < p->events->len; i++) {
		const char *name = PROFILE_AT(p->events, event, i)->name;

		if (g_str_has_prefix(name, "cycles") || g_str_has_prefix(name, "cpu-cycles") ||
		    g_str_has_prefix(name, "cpu_cycles"))
			*cycles = i;
		else if (g_str_has_prefix(name, "instructions"))
			*instructions = i;
	}
}

/* 0: unknown. */
static double cpi_of(const guint64 *weight, guint32 cycles, guint32 instructions)
{
	if (cycles == PROFILE_NONE || instructions == PROFILE_NONE || !weight[instructions])
		return 0;
	return (double)weight[cycles] / (double)weight[instructions];
}

static void print_cpi(const guint64 *weight, guint32 cycles, guint32 instructions)
{
	double cpi = cpi_of(weight, cycles, instructions);

	if (cycles == PROFILE_NONE || instructions == PROFILE_NONE)
		return;
	if (cpi > 0)
		printf(" %6.2f", cpi);
	else
		printf("      -");
}

/* The source line of an instruction, if a sample on it has one. */
static const struct profile_line *line_at(const struct profile_image *image, guint64 offset)
{
	guint before = offset ? sorted_until(image->lines, offset - 1) : 0;
	const struct profile_line *line = before < image->lines->len ? PROFILE_AT(image->lines, line, before) : NULL;

	return line && line->offset == offset ? line : NULL;
}

static void print_code(const struct profile *p, const struct code *c, guint32 event)
{
	const struct profile_line *last = NULL;
	guint32 cycles, instructions;
	guint block = G_MAXUINT;

	find_cpi(p, &cycles, &instructions);
	printf("  count percent%s  address\n",
	       cycles == PROFILE_NONE || instructions == PROFILE_NONE ? "" : "    CPI");
	for (guint i = 0; i < c->instructions->len; i++) {
		const struct code_instruction *in =
			&g_array_index(c->instructions, struct code_instruction, i);
		const struct profile_line *line = line_at(c->image, in->offset);

		if (in->block != block) {
			printf("                 block %u\n", in->block);
			block = in->block;
		}
		if (line && (!last || last->line != line->line || last->file != line->file))
			printf("                 %s:%u\n", line->file, line->line);
		last = line ? line : last;
		if (in->samples[event])
			printf("%7" G_GUINT64_FORMAT " %7.2f", in->samples[event],
			       percent(in->weight[event], c->weight[event]));
		else
			printf("%15s", "");
		print_cpi(in->weight, cycles, instructions);
		printf("  %8" G_GINT64_MODIFIER "x  %s\n", in->address, in->text);
	}
}

static guint64 samples_of(const struct code *c, const struct code_block *b, guint32 event)
{
	guint64 n = 0;

	for (guint i = 0; i < b->count; i++)
		n += g_array_index(c->instructions, struct code_instruction, b->first + i)
			     .samples[event];
	return n;
}

static void print_blocks(const struct profile *p, const struct code *c, guint32 event)
{
	guint32 cycles, instructions;

	find_cpi(p, &cycles, &instructions);
	printf("  count percent%s  block  address   instructions  then\n",
	       cycles == PROFILE_NONE || instructions == PROFILE_NONE ? "" : "    CPI");
	for (guint i = 0; i < c->blocks->len; i++) {
		const struct code_block *b = &g_array_index(c->blocks, struct code_block, i);

		printf("%7" G_GUINT64_FORMAT " %7.2f", samples_of(c, b, event),
		       percent(b->weight[event], c->weight[event]));
		print_cpi(b->weight, cycles, instructions);
		printf("  %5u  %8" G_GINT64_MODIFIER "x  %12u ", i,
		       g_array_index(c->instructions, struct code_instruction, b->first).address,
		       b->count);
		for (guint n = 0; n < b->nnext; n++)
			printf(" %u", b->next[n]);
		printf("%s\n", b->leaves ? " out" : "");
	}
}

static void print_partial(const struct code *c, FILE *to)
{
	if (c->cut || c->elsewhere)
		fprintf(to,
			"PARTIAL: %s%" G_GUINT64_FORMAT
			" samples are on no instruction that is shown\n",
			c->cut ? "only the first MB was kept; " : "", c->elsewhere);
}

/* ---- the control flow graph ----------------------------------------------------*/

static void print_quoted(const char *text)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			putchar('\\');
		putchar(*text);
	}
}

static void print_dot(const struct code *c, guint32 event)
{
	printf("digraph \"");
	print_quoted(c->function->name);
	printf("\" {\n\tnode [shape=box, style=filled, fontname=monospace, fontsize=10];\n");
	for (guint i = 0; i < c->blocks->len; i++) {
		const struct code_block *b = &g_array_index(c->blocks, struct code_block, i);
		double share = percent(b->weight[event], c->weight[event]);

		printf("\tb%u [fillcolor=\"0.06 %.2f 1.0\", label=\"block %u: %" G_GUINT64_FORMAT
		       " samples, %.2f %%\\l",
		       i, share / 100, i, samples_of(c, b, event), share);
		for (guint n = 0; n < b->count; n++) {
			print_quoted(g_array_index(c->instructions, struct code_instruction,
						   b->first + n)
					     .text);
			printf("\\l");
		}
		printf("\"];\n");
		for (guint n = 0; n < b->nnext; n++)
			printf("\tb%u -> b%u;\n", i, b->next[n]);
		if (b->leaves)
			printf("\tb%u -> out;\n", i);
	}
	printf("\tout [shape=ellipse];\n}\n");
}

/* ---- JSON and CSV ----------------------------------------------------------------*/

static void write_number(struct data *d, const char *name, guint64 value)
{
	data_value(d, name, "%" G_GUINT64_FORMAT, value);
}

/* The columns that instructions and blocks both end with. */
static void write_weights(struct data *d, const struct profile *p, const struct code *c,
			  guint64 samples, const guint64 *weight, guint32 event)
{
	guint32 cycles, instructions;
	double cpi;

	find_cpi(p, &cycles, &instructions);
	cpi = cpi_of(weight, cycles, instructions);
	write_number(d, NULL, samples);
	write_number(d, NULL, weight[event]);
	data_value(d, NULL, "%.4f", percent(weight[event], c->weight[event]));
	if (cpi > 0)
		data_value(d, NULL, "%.4f", cpi);
	else
		data_text(d, NULL, NULL);
}

static void begin_code_row(struct data *d, const struct code *c, guint block, guint64 address)
{
	char text[32];

	g_snprintf(text, sizeof(text), "0x%" G_GINT64_MODIFIER "x", address);
	data_row(d);
	data_text(d, NULL, c->function->name);
	data_text(d, NULL, c->image->path);
	write_number(d, NULL, block);
	data_text(d, NULL, text);
}

static void write_instructions(struct data *d, const struct profile *p, const struct code *c,
			       guint32 event)
{
	for (guint i = 0; i < c->instructions->len; i++) {
		const struct code_instruction *in =
			&g_array_index(c->instructions, struct code_instruction, i);
		const struct profile_line *line = line_at(c->image, in->offset);

		begin_code_row(d, c, in->block, in->address);
		data_text(d, NULL, in->text);
		data_text(d, NULL, line ? line->file : NULL);
		if (line)
			write_number(d, NULL, line->line);
		else
			data_text(d, NULL, NULL);
		write_weights(d, p, c, in->samples[event], in->weight, event);
		data_close(d);
	}
}

static void write_blocks(struct data *d, const struct profile *p, const struct code *c,
			 guint32 event)
{
	for (guint i = 0; i < c->blocks->len; i++) {
		const struct code_block *b = &g_array_index(c->blocks, struct code_block, i);

		begin_code_row(d, c, i,
			       g_array_index(c->instructions, struct code_instruction, b->first)
				       .address);
		write_number(d, NULL, b->count);
		write_weights(d, p, c, samples_of(c, b, event), b->weight, event);
		data_array(d, NULL);
		for (guint n = 0; n < b->nnext; n++)
			write_number(d, NULL, b->next[n]);
		data_close(d);
		data_value(d, NULL, b->leaves ? "true" : "false");
		data_close(d);
	}
}

static void write_functions(struct data *d, const GPtrArray *codes, guint32 event, guint64 all)
{
	data_array(d, "functions");
	for (guint i = 0; i < codes->len; i++) {
		const struct code *c = codes->pdata[i];

		data_object(d, NULL);
		data_text(d, "function", c->function->name);
		data_text(d, "image", c->image->path);
		write_number(d, "samples", c->samples[event]);
		write_number(d, "weight", c->weight[event]);
		data_value(d, "percent", "%.4f", percent(c->weight[event], all));
		write_number(d, "elsewhere", c->elsewhere);
		data_value(d, "cut", c->cut ? "true" : "false");
		data_close(d);
		if (form == DATA_CSV)
			print_partial(c, stderr);
	}
	data_close(d);
}

static int write_all(const struct profile *p, const GPtrArray *codes,
		     const struct sample_filter *filter, guint64 all)
{
	static const char *const of_instructions[] = { "function", "image", "block",  "address",
						       "instruction", "file", "line",   "samples",
						       "weight",   "percent", "cpi",   NULL },
		*const of_blocks[] = { "function", "image",   "block", "address", "instructions",
				       "samples",  "weight", "percent", "cpi",     "next",
				       "leaves",   NULL };
	struct data d;

	data_begin(&d, stdout, form, opt.blocks ? "lapwing-annotate-blocks/1" : "lapwing-annotate/1");
	heading_write(&d, p, filter);
	write_functions(&d, codes, filter->event, all);
	data_rows(&d, "rows", opt.blocks ? of_blocks : of_instructions);
	for (guint i = 0; i < codes->len; i++)
		(opt.blocks ? write_blocks : write_instructions)(&d, p, codes->pdata[i], filter->event);
	data_close(&d);
	return data_end(&d, who, "stdout");
}

/* ---- whole ---------------------------------------------------------------------*/

static void print_title(const struct profile *p, const struct code *c, guint32 event, guint64 all)
{
	printf("%s [%s]: %.2f %% of all, %" G_GUINT64_FORMAT " samples of %s\n", c->function->name,
	       c->image->path, percent(c->weight[event], all), c->samples[event],
	       PROFILE_AT(p->events, event, event)->name);
	print_partial(c, stdout);
}

static void print_all(const struct profile *p, const GPtrArray *codes, guint32 event, guint64 all)
{
	for (guint i = 0; i < codes->len; i++) {
		const struct code *c = codes->pdata[i];

		if (i)
			putchar('\n');
		if (opt.dot) {
			print_dot(c, event);
			continue;
		}
		print_title(p, c, event, all);
		if (opt.blocks)
			print_blocks(p, c, event);
		else
			print_code(p, c, event);
	}
}

/* NULL: reported, unless it is quiet. */
static struct code *decode(const struct profile *p, const struct target *t,
			   const struct sample_filter *filter, int quiet)
{
	const char *why;
	struct code *c = code_make(p, t->image, t->function, filter, &why);

	if (!c && !quiet)
		failure_print(who, FAILURE_CAPTURE_LACKS, "%s: %s",
			      PROFILE_AT(PROFILE_AT(p->images, image, t->image)->functions, function,
					 t->function)
				      ->name,
			      why);
	return c;
}

/* By default, shows the hottest function that can be shown. */
static int run(struct profile *p, const struct sample_filter *filter)
{
	GArray *targets = find_targets(p, filter);
	GPtrArray *codes = g_ptr_array_new_with_free_func((GDestroyNotify)code_free);
	int failed = 0, status = 0;
	guint64 all = 0;

	heading_warn_empty(who, p, filter);
	for (guint i = 0; i < targets->len; i++)
		all += g_array_index(targets, struct target, i).weight;
	for (guint i = 0; i < targets->len && (!opt.limit || codes->len < (guint)opt.limit); i++) {
		const struct target *t = &g_array_index(targets, struct target, i);
		struct code *c = is_wanted(p, t) ? decode(p, t, filter, failed >= FAILED_SHOWN) : NULL;

		if (c)
			g_ptr_array_add(codes, c);
		failed += is_wanted(p, t) && !c;
	}
	if (failed > FAILED_SHOWN)
		failure_print(who, FAILURE_CAPTURE_LACKS, "%d functions more cannot be shown", failed - FAILED_SHOWN);
	if (form)
		status = write_all(p, codes, filter, all);
	else
		print_all(p, codes, filter->event, all);
	if (!codes->len && !failed)
		failure_print(who, FAILURE_CAPTURE_LACKS, "no samples %s%s",
			      opt.function ? "in a function " : "with a name",
			      opt.function ? opt.function : "");
	status |= !codes->len || (failed && opt.function);
	g_ptr_array_unref(codes);
	g_array_free(targets, TRUE);
	return status;
}

static int check(const char *path)
{
	return opt.dot && form ? option_fail(FAILURE_OPTION_CONFLICT,
					     "--dot is a format of its own: without --json and --csv")
			       : 0;
}

#define OPTION_INTO struct annotate_options
static const struct option_row rows[] = {
	TEXT('f', "function", "NAME", "functions of that name; * and ? match (default: the hottest)",
	     function)
	NUMBER('l', "limit", "N", 0, G_MAXINT,
	       "how many functions, the hottest first (default: 1; 0: all)", limit)
	FLAG('b', "blocks", "a row for each basic block instead of each instruction", blocks)
	FLAG(0, "dot", "the control flow graph, for Graphviz", dot)
	{ .kind = OPTION_END },
};

int main(int argc, char **argv)
{
	const struct program_of annotate = { .name = who,
					     .what = "Shows the instructions where samples fell.",
					     .rows = rows,
					     .into = &opt,
					     .form = &form,
					     .check = check,
					     .run = run };

	return program_main(&annotate, argc, argv);
}
