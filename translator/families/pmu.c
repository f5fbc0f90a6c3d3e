/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *   pmu.profile("EVENT:PERIOD")  kernel.pmu_profile("EVENT:PERIOD")	a sample every PERIOD events, on every CPU
 *   pmu_profile("EVENT:PERIOD")  kernel.startwatch("EVENT:PERIOD")	the same
 *   ... .exact							every period is PERIOD; else it varies, with that mean
 *   ... .nmi  kernel.nmi.pmu_profile("EVENT:PERIOD")			the handler runs in the NMI
 *   perf.type(T).config(C)  ... .sample(N)  .hz(N)  .process("NAME")	SystemTap's: by numbers
 *   perf.type(T).config(C).process("NAME").counter("C")		never fires; @perf("C") is its count of the current thread
 *
 * Needs no debug information. Context: registers of the interrupted code. PERIOD, and N of
 * .sample(N), default to 1,000,000; EVENT:freq=HZ is possible, too.
 */
#include "translator/debuginfo/event.h"
#include "translator/families/family.h"
#include "translator/families/shared.h"
#include "translator/program/program.h"

#include <linux/perf_event.h>
#include <string.h>

enum tag { NAMED, NUMBERED };

#define USUAL_PERIOD 1000000

#define PROFILES(point) { point, NAMED, 0 }, { point ".exact", NAMED, 0 }, { point ".nmi", NAMED, 0 }, \
	{ point ".nmi.exact", NAMED, 0 }, { point ".exact.nmi", NAMED, 0 }
#define NUMBERS(suffix) { "perf.type(n).config(n)" suffix, NUMBERED, 0 }

static const struct family_pattern patterns[] = {
	PROFILES("pmu.profile(s)"),
	PROFILES("kernel.pmu_profile(s)"),
	PROFILES("pmu_profile(s)"),
	{ "kernel.nmi.pmu_profile(s)", NAMED, 0 },
	{ "kernel.nmi.pmu_profile(s).exact", NAMED, 0 },
	NUMBERS(""),
	NUMBERS(".sample(n)"),
	NUMBERS(".hz(n)"),
	NUMBERS(".process(s)"),
	NUMBERS(".process(s).sample(n)"),
	NUMBERS(".process(s).hz(n)"),
	NUMBERS(".sample(n).process(s)"),
	NUMBERS(".hz(n).process(s)"),
	NUMBERS(".process(s).counter(s)"),
	NUMBERS(".counter(s)"),
	{ 0 },
};

/* The kernel names a process by the last component of its path. */
static const char *process_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int bad(struct family_call *call, const struct point_comp *comp, const char *text)
{
	diag(call->diag, &comp->arg_loc, D_POINT_VALUE, text);
	return -1;
}

/*
 * Shorter periods would keep a CPU busy with nothing but samples. Rare software events may be
 * sampled one by one.
 */
static u64 least_period(const struct rt_pmu *row)
{
	return row->event.type == PERF_TYPE_HARDWARE || row->event.type == PERF_TYPE_RAW ? 1000
	       : row->event.type == PERF_TYPE_SOFTWARE &&
			       row->event.config[0] <= PERF_COUNT_SW_TASK_CLOCK
		       ? 100000
		       : 1;
}

static int check_rate(struct family_call *call, const struct point_comp *comp,
		      const struct rt_pmu *row)
{
	if (row->hertz > 10000)
		return bad(call, comp, "frequency out of range (1, 10000)");
	if (row->period && row->period < least_period(row))
		return bad(
			call, comp,
			"period too short: at least 1000 events of the hardware, 100000 ns of a clock");
	return 0;
}

static int fill_named(struct family_call *call, struct rt_pmu *row)
{
	const struct point_comp *profile = family_comp(call->point, "profile");
	const struct point_comp *text = profile ? profile : family_comp(call->point, "pmu_profile");

	if (call->event(call, text, &row->event, &row->period, &row->hertz))
		return -1;
	row->exact = family_comp(call->point, "exact") != NULL;
	row->nmi = family_comp(call->point, "nmi") != NULL;
	if (!row->period && !row->hertz)
		row->period = USUAL_PERIOD;
	return check_rate(call, text, row);
}

static int fill_numbered(struct family_call *call, struct rt_pmu *row)
{
	const struct point_comp *sample = family_comp(call->point, "sample"),
				*hz = family_comp(call->point, "hz");
	const struct point_comp *process = family_comp(call->point, "process"),
				*counter = family_comp(call->point, "counter");
	const struct point_comp *type = family_comp(call->point, "type");
	const char *known = event_generic_name((u32)type->number, (u64)type[1].number);
	char *name = g_strdup_printf("perf type %" G_GINT64_FORMAT ", config %" G_GINT64_FORMAT,
				     type->number, type[1].number);

	row->event.name = known ? known : family_keep(call, name);
	g_free(name);
	row->event.type = (u32)type->number;
	row->event.config[0] = (u64)type[1].number;
	row->process = process ? family_keep(call, process_name(process->string)) : NULL;
	row->counter = counter ? family_keep(call, counter->string) : NULL;
	row->hertz = hz ? (u64)MAX(hz->number, 0) : 0;
	row->period = counter || hz ? 0 : sample ? (u64)MAX(sample->number, 0) : USUAL_PERIOD;
	row->exact = 1;
	if ((hz && hz->number < 1) || (sample && sample->number < 1))
		return bad(call, hz ? hz : sample, "expected a number above 0");
	if (sample && row->period < least_period(row)) {	/* SystemTap's scripts have such */
		diag(call->diag, &sample->arg_loc, D_PERIOD_RAISED, row->period, least_period(row));
		row->period = least_period(row);
	}
	return check_rate(call, hz ? hz : sample ? sample : type, row);
}

static void resolve(struct family_call *call)
{
	struct rt_pmu *row = call->alloc(call, sizeof(*row));

	if (!(call->pattern->tag == NAMED ? fill_named(call, row) : fill_numbered(call, row)))
		family_add(call, row);
}

static void emit_row(GString *out, const struct probe *probe)
{
	const struct rt_pmu *row = probe->row;
	const struct rt_event *e = &row->event;
	char *name = g_strescape(e->name, NULL),
	     *process = g_strescape(row->process ? row->process : "", NULL);

	g_string_append_printf(out,
			       "{ &probes[%u], { \"%s\", %u, %u, %u, { 0x%llx, 0x%llx, 0x%llx } }",
			       probe->index, name, e->type, e->precise, e->exclude, e->config[0],
			       e->config[1], e->config[2]);
	if (row->period)
		g_string_append_printf(out, ", .period = %llu", row->period);
	if (row->hertz)
		g_string_append_printf(out, ", .hertz = %llu", row->hertz);
	if (row->exact)
		g_string_append(out, ", .exact = 1");
	if (row->process)
		g_string_append_printf(out, ", .process = \"%s\"", process);
	g_string_append(out, " }");
	g_free(name);
	g_free(process);
}

static const struct rt_event *samples(const struct probe *probe, u64 *period)
{
	const struct rt_pmu *row = probe->row;

	*period = row->counter ? 0 : row->period ? row->period : USUAL_PERIOD;
	return &row->event;
}

static int in_nmi(const struct probe *probe)
{
	return ((const struct rt_pmu *)probe->row)->nmi;
}

const struct family family_pmu = {
	.name		= "pmu",
	.row		= ROW_PMU,
	.patterns	= patterns,
	.resolve	= resolve,
	.row_type	= "struct rt_pmu",
	.emit_row	= emit_row,
	.samples	= samples,
	.in_nmi		= in_nmi,
	.runtime	= "pmu",
};
