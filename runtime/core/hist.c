// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hist.c - histograms; see hist.h for input and output.
 *
 *	value |-------------------------------------------------- count
 *	    4 |                                                   0
 *	    8 |@@@                                                3
 *	      ~
 *	   64 |@                                                  1
 */
#include "runtime/core/hist.h"
#include "runtime/core/fmt.h"
#include "runtime/core/port.h"

struct hist_view {
	const struct wire_hist *h;
	const u64	*count;
	u32		first, last;	/* rows shown */
	u32		width;		/* of the label column */
	u32		digits;		/* of the largest count */
	u64		scale;		/* events per '@' */
};

u32 hist_buckets(const struct rt_stat_desc *d)
{
	u64 n;

	if (d->ops & RT_HIST_LOG)
		return HIST_BUCKETS;
	if (!(d->ops & RT_HIST_LINEAR))
		return 0;
	if (d->step <= 0 || d->high < d->low)
		return 3;
	n = ((u64)d->high - (u64)d->low) / (u64)d->step;
	return n > HIST_LINEAR_MOST - 3 ? HIST_LINEAR_MOST : (u32)n + 3;
}

u32 hist_linear_bucket(const struct rt_stat_desc *d, s64 v)
{
	u32 last = hist_buckets(d) - 1;
	u64 at;

	if (v < d->low)
		return 0;
	if (d->step <= 0)
		return last;
	at = ((u64)v - (u64)d->low) / (u64)d->step;
	return at >= last - 1 ? last : (u32)at + 1;
}

s64 hist_fine_value(u32 i)
{
	u32 size = i < HIST_FINE_ZERO ? HIST_FINE_ZERO - i : i - HIST_FINE_ZERO;
	u32 shift = size < 32 ? 0 : size / 16 - 1;
	u64 v = ((u64)(size - 16 * shift) << shift) + (shift ? 1ULL << (shift - 1) : 0);

	if (!i)		/* a single value; the middle would be out of range */
		return (s64)(1ULL << 63);
	return i < HIST_FINE_ZERO ? num_neg((s64)v) : (s64)v;
}

void hist_describe(const struct rt_stat_desc *d, const struct rt_limits *limits,
		   struct wire_hist *h)
{
	h->kind = d->ops & RT_HIST_LOG ? RT_HIST_LOG : RT_HIST_LINEAR;
	h->nbuckets = hist_buckets(d);
	h->low = d->low;
	h->high = d->high;
	h->step = d->step;
	h->width = limits->hist_width;
	h->elision = limits->hist_elision;
}

/* The label of row i into text[24]; returns its length. */
static u32 hist_label(const struct wire_hist *h, u32 i, char *text)
{
	struct sink s = { .p = text, .size = 24 };
	s64 v;

	if (h->kind == RT_HIST_LOG) {
		if (i > HIST_ZERO)
			v = (s64)(1ULL << (i - HIST_ZERO - 1));
		else if (i < HIST_ZERO)
			v = num_neg((s64)(1ULL << (HIST_ZERO - 1 - i)));
		else
			v = 0;
	} else if (i == 0) {
		sink_char(&s, '<');
		v = h->low;
	} else if (i == h->nbuckets - 1) {
		sink_char(&s, '>');
		v = num_add(h->low, num_mul(h->nbuckets - 3, h->step));
	} else {
		v = num_add(h->low, num_mul(i - 1, h->step));
	}
	fmt_decimal(&s, v);
	return s.used;
}

/* Extends the nonzero rows by HIST_MARGIN, if there are any. */
static void hist_widen(struct hist_view *view)
{
	u32 low = 0, high = view->h->nbuckets - 1;
	u32 i;

	if (view->h->kind == RT_HIST_LOG) {
		if (view->first >= HIST_ZERO)
			low = HIST_ZERO;
	} else {
		low = view->count[0] ? 0 : 1;
		high = view->count[high] ? high : high - 1;
	}
	for (i = 0; i < HIST_MARGIN && view->first > low; i++)
		view->first--;
	for (i = 0; i < HIST_MARGIN && view->last < high; i++)
		view->last++;
}

static void hist_measure(struct hist_view *view)
{
	char text[24];
	u64 max = 0;
	u32 i, n;

	view->width = 5;
	for (i = view->first; i <= view->last; i++) {
		n = hist_label(view->h, i, text);
		if (n > view->width)
			view->width = n;
		if (view->count[i] > max)
			max = view->count[i];
	}
	view->scale =
		max <= view->h->width ? 1 : max / view->h->width + (max % view->h->width != 0);
	view->digits = 1;
	while (max >= 10) {
		max /= 10;
		view->digits++;
	}
}

static void hist_row(struct sink *out, const struct hist_view *view, u32 i)
{
	struct sink number;
	char text[24];
	u32 n = hist_label(view->h, i, text);
	u32 bar = (u32)(view->count[i] / view->scale);

	sink_fill(out, ' ', view->width - n);
	sink_put(out, text, n);
	sink_put(out, " |", 2);
	sink_fill(out, '@', bar);
	number = (struct sink){ .p = text, .size = sizeof(text) };
	fmt_unsigned(&number, view->count[i]);
	sink_fill(out, ' ', view->h->width + 1 + view->digits - bar - number.used);
	sink_put(out, text, number.used);
	sink_char(out, '\n');
}

/* True for an empty row without nonzero rows nearby. */
static int hist_dull(const struct hist_view *view, u32 i)
{
	u32 near = (u32)view->h->elision;
	u32 from = i - view->first > near ? i - near : view->first;
	u32 to = view->last - i > near ? i + near : view->last;

	for (; from <= to; from++)
		if (view->count[from])
			return 0;
	return 1;
}

static void hist_rows(struct sink *out, const struct hist_view *view)
{
	int skipped = 0;
	u32 i;

	for (i = view->first; i <= view->last; i++) {
		if (view->h->elision >= 0 && hist_dull(view, i)) {
			skipped = 1;
			continue;
		}
		if (skipped) {
			sink_fill(out, ' ', view->width);
			sink_put(out, " ~\n", 3);
			skipped = 0;
		}
		hist_row(out, view, i);
	}
}

int hist_print(struct sink *out, const struct wire_hist *h, const u64 *count)
{
	struct hist_view view = { .h = h, .count = count };

	if (h->kind == RT_HIST_LOG ? h->nbuckets != HIST_BUCKETS :
	    h->kind != RT_HIST_LINEAR || h->nbuckets < 3 || h->nbuckets > HIST_LINEAR_MOST)
		return -EINVAL;
	if (!h->width || h->width > RT_HIST_WIDTH_MAX)
		return -EINVAL;
	while (view.first < h->nbuckets && !count[view.first])
		view.first++;
	if (view.first == h->nbuckets)
		return 0;
	view.last = h->nbuckets - 1;
	while (!count[view.last])
		view.last--;
	hist_widen(&view);
	hist_measure(&view);
	sink_fill(out, ' ', view.width - 5);
	sink_text(out, "value |");
	sink_fill(out, '-', h->width);
	sink_text(out, " count\n");
	hist_rows(out, &view);
	sink_char(out, '\n');
	return 0;
}
