// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * partial.c - after an error that ended the run: displays the globals that no error probe reads, in
 * the format of the display of unread globals, beside the script's own output. Globals that are 0 or
 * empty are skipped; nothing is printed if all are.
 */
#include "runtime/core/partial.h"

#include "runtime/core/array.h"
#include "runtime/core/core.h"
#include "runtime/core/ctx.h"
#include "runtime/core/fmt.h"
#include "runtime/core/global.h"
#include "runtime/core/hist.h"
#include "runtime/core/output.h"
#include "runtime/core/port.h"

/* rows shown of each array: behind thousands of rows an error would not be read */
#define PARTIAL_ROWS 10

struct partial {
	struct rt_ctx	*c;
	struct sink	line;
	int		begun;		/* the heading has been printed */
};

static void partial_string(struct sink *s, struct rt_str v)
{
	sink_char(s, '"');
	sink_put(s, v.p, v.len);
	sink_char(s, '"');
}

/* Prints the line and begins a new one. */
static void partial_end(struct partial *p)
{
	static const char heading[] = "PARTIAL: at the error the globals hold:\n";

	if (!p->begun)
		output_text(p->c, heading, sizeof(heading) - 1);
	p->begun = 1;
	sink_char(&p->line, '\n');
	output_text(p->c, p->line.p, p->line.used);
	p->line.used = 0;
	p->line.cut = 0;
}

static void partial_long(struct partial *p, s64 v)
{
	sink_char(&p->line, '=');
	fmt_decimal(&p->line, v);
	partial_end(p);
}

static void partial_text(struct partial *p, struct rt_str v)
{
	sink_char(&p->line, '=');
	partial_string(&p->line, v);
	partial_end(p);
}

static void partial_stat(struct partial *p, const struct rt_statval *v)
{
	static const struct {
		const char *name;
		u32 order;
	} ops[] = {
		{ " @count=", RT_BY_COUNT }, { " @min=", RT_BY_MIN }, { " @max=", RT_BY_MAX },
		{ " @sum=", RT_BY_SUM },     { " @avg=", RT_BY_AVG },
	};
	u32 i;

	for (i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		sink_text(&p->line, ops[i].name);
		fmt_decimal(&p->line, agg_by(v, ops[i].order));
	}
	partial_end(p);
	if (hist_buckets(v->desc))
		rt_print_hist(p->c, v);
}

/* ---- arrays -----------------------------------------------------------------*/

static void partial_row(struct partial *p, const struct map *m, const struct map_row *row)
{
	struct { u64 word[2 * RT_MAXKEYS]; } key;
	const u8 *at = (const u8 *)&key;
	u32 i;

	map_key(m, row, &key);
	sink_text(&p->line, m->desc->name);
	for (i = 0; i < m->desc->nkeys; i++) {
		sink_char(&p->line, i ? ',' : '[');
		if (m->desc->key[i] == RT_STRING) {
			partial_string(&p->line, *(const struct rt_str *)at);
			at += sizeof(struct rt_str);
		} else {
			fmt_decimal(&p->line, *(const s64 *)at);
			at += sizeof(s64);
		}
	}
	sink_char(&p->line, ']');
	if (m->desc->value == RT_STAT)
		partial_stat(p, map_stat(m, row));
	else if (m->desc->value == RT_STRING)
		partial_text(p, map_text(m, row));
	else
		partial_long(p, *map_long(m, row));
}

/* Prints how many rows are not shown. */
static void partial_more(struct partial *p, const struct map *m, u32 n)
{
	sink_text(&p->line, m->desc->name);
	sink_text(&p->line, ": ");
	fmt_decimal(&p->line, n);
	sink_text(&p->line, " more rows");
	partial_end(p);
}

/*
 * Prints the rows with the largest values, or the first ones if there is no memory to sort. Does
 * not use the array's own sort buffers: a handler's loop may have been left half way.
 */
static void partial_array(struct partial *p, const struct rt_map *m)
{
	struct rt_map_desc desc = *m->desc;
	struct map view = *array_total(m);
	const struct map_row *row;
	void *memory;
	u32 i, n;

	desc.iterators = 1;
	view.desc = &desc;
	memory = runtime_alloc(map_order_bytes(&desc));
	if (memory) {
		map_order_init(&view, memory);
		n = map_sort(&view, 0, RT_BY_VALUE, RT_DOWN, -1);
		for (i = 0; i < n && i < PARTIAL_ROWS; i++)
			partial_row(p, &view, map_row_at(&view, view.order[i]));
	} else {
		n = view.count;
		for (i = 0, row = map_first(&view); row && i < PARTIAL_ROWS;
		     row = map_newer(&view, row), i++)
			partial_row(p, &view, row);
	}
	if (n > PARTIAL_ROWS)
		partial_more(p, &view, n - PARTIAL_ROWS);
	runtime_free(memory);
}

static void partial_global(struct partial *p, const struct rt_global *g)
{
	s64 number = g->storage == RT_G_LONG ? *(s64 *)g->obj
		     : g->storage == RT_G_COUNTER ? rt_counter_get(p->c, g->obj)
		     : 0;
	const struct rt_statval *v = g->storage == RT_G_STAT ? rt_stat_read(p->c, g->obj) : 0;

	if (g->storage == RT_G_MAP) {
		partial_array(p, g->obj);
		return;
	}
	if (!number && (!v || agg_empty(v)) && (g->storage != RT_G_STRING || !rt_get(g->obj).len))
		return;
	sink_text(&p->line, g->name);
	if (v)
		partial_stat(p, v);
	else if (g->storage == RT_G_STRING)
		partial_text(p, rt_get(g->obj));
	else
		partial_long(p, number);
}

void core_partial(struct rt_ctx *c)
{
	struct partial p = { .c = c };
	u32 i;

	_Static_assert((int)RT_ASIDE == (int)WIRE_ASIDE, "output_head() copies it");
	ctx_begin(c, rt_script.probes);
	c->taken |= RT_ASIDE;
	p.line.p = c->arena;
	p.line.size = c->arena_size;
	for (i = 0; i < rt_script.nglobals; i++)
		if (!rt_script.globals[i].error_reads)
			partial_global(&p, &rt_script.globals[i]);
	ctx_end(c);
}
