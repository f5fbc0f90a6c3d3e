/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_counter.c - see perf_counter.h. It does not arm counters: they are rows of rt_script.events,
 * shared by all probes that read them.
 *
 *	kernel.function("f").startwatch("cycles").system.startwatch("instructions")
 *	$pmu->data_addr  $pmu->latency  $pmu->branch[i]		data of a sample of pmu.profile
 *	kernel.virtual.startwatch("cycles").function("f")	the same words before the function
 */
#include "translator/target_var/perf_counter.h"

#include "translator/debuginfo/event.h"
#include "translator/debuginfo/event_query.h"
#include "translator/families/family.h"
#include "translator/program/options.h"

#include <string.h>
#include <sys/utsname.h>

static int is_word(const struct point_comp *comp, const char *word, enum point_arg arg)
{
	return comp->arg == arg && !strcmp(comp->name, word);
}

static void add_watch(struct program *prog, struct probe_point *point, struct point_watch watch)
{
	struct point_watch *watches =
		ast_alloc(prog->ast, (point->nwatches + 1) * sizeof(*watches));

	if (point->nwatches)
		memcpy(watches, point->watches, point->nwatches * sizeof(*watches));
	watches[point->nwatches++] = watch;
	point->watches = watches;
}

/*
 * virtual and system apply to the startwatch before them, or to the next one if that already has
 * such a word or there is none. In a point without startwatch they may have another meaning.
 */
static int has_watch(const struct probe_point *point)
{
	for (unsigned i = 0; i < point->ncomps; i++)
		if (is_word(&point->comps[i], "startwatch", POINT_STRING))
			return 1;
	return 0;
}

void perf_counter_take(struct program *prog, struct probe_point *point)
{
	struct point_comp *comps = ast_alloc(prog->ast, point->ncomps * sizeof(*comps));
	int word_due = 0, next_is_system = 0;
	unsigned n = 0;

	if (!has_watch(point))
		return;
	if (!point->written) {
		char *text = point_string(point);

		point->written = ast_strdup(prog->ast, text);
		g_free(text);
	}
	for (unsigned i = 0; i < point->ncomps; i++) {
		const struct point_comp *comp = &point->comps[i];
		int is_system = is_word(comp, "system", POINT_NONE);

		if (is_word(comp, "startwatch", POINT_STRING)) {
			add_watch(prog, point,
				  (struct point_watch){ comp->string, next_is_system,
							comp->arg_loc });
			next_is_system = 0;
			word_due = 1;
		} else if (is_system || is_word(comp, "virtual", POINT_NONE)) {
			if (word_due)
				point->watches[point->nwatches - 1].system = is_system;
			else
				next_is_system = is_system;
			word_due = 0;
		} else {
			comps[n++] = *comp;
		}
	}
	/* of kernel.startwatch("EVENT") alone samples are taken: it is kernel.pmu_profile("EVENT") */
	if (n == 1 && is_word(&comps[0], "kernel", POINT_NONE)) {
		const struct point_watch *last = &point->watches[--point->nwatches];

		comps[n++] = (struct point_comp){ .name = "pmu_profile",
						  .loc = last->loc,
						  .arg = POINT_STRING,
						  .string = last->event,
						  .arg_loc = last->loc };
	}
	point->comps = comps;
	point->ncomps = n;
}

void perf_counter_join(struct program *prog, struct probe_point *to, const struct probe_point *more)
{
	for (unsigned i = 0; i < more->nwatches; i++)
		add_watch(prog, to, more->watches[i]);
}

/* ---- events --------------------------------------------------------------------*/

static int is_here(const struct program *prog)
{
	struct utsname system;

	uname(&system);
	return !prog->opt->target_vm &&
	       !strcmp(prog->arch ? prog->arch : "",
		       strcmp(system.machine, "aarch64") ? system.machine : "arm64");
}

int perf_counter_event(struct program *prog, const char *text, const struct loc *loc,
		       struct rt_event *event, u64 *period, u64 *hertz, struct diag_sink *diag_to)
{
	struct event_machine machine = { .host = { prog->opt->sysroot ? prog->opt->sysroot : "" },
					 .arch = prog->arch ? prog->arch : "",
					 .is_here = is_here(prog),
					 .guru = prog->opt->guru,
					 .library = event_ask };
	struct event e;
	char *why;
	int only;

	if (event_encode(&machine, text, &e, &why)) {
		diag(diag_to, loc, D_EVENT, why);
		g_free(why);
		return -1;
	}
	if (*e.pmu)
		diag(diag_to, loc, D_EVENT_PARTLY, text, e.pmu, e.cpus);
	only = e.only_user || e.only_kernel || e.only_hypervisor;
	*event = (struct rt_event){ .name = ast_strdup(prog->ast, text), .type = e.type, .precise = (u8)e.precise };
	for (unsigned i = 0; i < 3; i++)
		event->config[i] = e.config[i];
	*period = e.period;
	*hertz = e.hertz;
	if (only)
		event->exclude = (e.only_user ? 0 : RT_NOT_USER) |
				 (e.only_kernel ? 0 : RT_NOT_KERNEL) |
				 (e.only_hypervisor ? 0 : RT_NOT_HYPERVISOR);
	return 0;
}

void perf_counter_bind(struct program *prog, struct probe *p, const struct probe_point *point,
		       struct diag_sink *diag_to)
{
	struct probe_watch *watches =
		ast_alloc(prog->ast, (point->nwatches + 1) * sizeof(*watches));

	p->watches = watches;
	for (unsigned i = 0; i < point->nwatches; i++) {
		const struct point_watch *from = &point->watches[i];
		u64 period, hertz;	/* ignored: the event only counts */

		watches[i].system = from->system;
		p->nwatches += !perf_counter_event(prog, from->event, &from->loc, &watches[i].event,
						   &period, &hertz, diag_to);
	}
}

/* ---- $pmu[i] ---------------------------------------------------------------------*/

/* The event's row in prog->events; equal events share a row. */
static unsigned row_of(struct program *prog, const struct rt_event *event)
{
	unsigned i = 0;

	for (; i < prog->events->len; i++) {
		const struct rt_event *known = &g_array_index(prog->events, struct rt_event, i);

		if (known->type == event->type &&
		    !memcmp(known->config, event->config, sizeof(event->config)) &&
		    known->precise == event->precise && known->exclude == event->exclude)
			return i;
	}
	g_array_append_val(prog->events, *event);
	return i;
}

#define TOO_MANY_EVENTS "a script counts at most " G_STRINGIFY(RT_MAXEVENTS) " different events"

static const struct builtin of_thread = { "$pmu",      TYPE_LONG,  "l", "rt_pmu",
					  CTX | FAILS, RT_CAP_PMU, "",	KIND_PMU };
static const struct builtin of_cpu = { "$pmu",	    TYPE_LONG,	"l", "rt_pmu_system",
				       CTX | FAILS, RT_CAP_PMU, "",  KIND_PMU_SYSTEM };

static const struct builtin quality_of = {
	"pmu_quality", TYPE_STRING, "l", "rt_pmu_quality", 0, 0, "", KIND_PMU_QUALITY
};

static const struct builtin data_addr = { "$pmu", TYPE_LONG,	  "l", "rt_sampled",
					  CTX,	  RT_CAP_PRECISE, "" };
static const struct builtin source_text = { "$pmu", TYPE_STRING,   "l", "rt_mem_source",
					    CTX,    RT_CAP_PRECISE, "" };
static const struct builtin branch_from = { "$pmu", TYPE_LONG,	     "l", "rt_branch_from",
					    CTX,    RT_CAP_BRANCHES, "" };
static const struct builtin branch_to = { "$pmu", TYPE_LONG,	   "l", "rt_branch_to",
					  CTX,	  RT_CAP_BRANCHES, "" };
static const struct builtin branch_missed = { "$pmu", TYPE_LONG,       "l", "rt_branch_missed",
					      CTX,    RT_CAP_BRANCHES, "" };
static const struct builtin branch_cycles = { "$pmu", TYPE_LONG,       "l", "rt_branch_cycles",
					      CTX,    RT_CAP_BRANCHES, "" };

/* Members of $pmu; number is negative for a member that takes an index. */
static const struct sampled {
	const char	*name;
	const struct builtin *builtin;
	int		number;
} sampled[] = {
	{ "data_addr",	&data_addr,	RT_SAMPLED_ADDR },
	{ "latency",	&data_addr,	RT_SAMPLED_LATENCY },
	{ "instruction_latency", &data_addr, RT_SAMPLED_INSTRUCTION },
	{ "retire_latency", &data_addr,	RT_SAMPLED_RETIRE },
	{ "data_src",	&data_addr,	RT_SAMPLED_SOURCE },
	{ "source",	&source_text,	RT_SAMPLED_SOURCE },
	{ "branch",	&branch_from,	-1 },
	{ "branch_to",	&branch_to,	-1 },
	{ "branch_missed", &branch_missed, -1 },
	{ "branch_cycles", &branch_cycles, -1 },
};

/* True for a probe that samples a PMU. Functions may also have a parameter named pmu. */
static int is_sample(const struct probe *probe)
{
	return probe && probe->family->row == ROW_PMU;
}

int perf_counter_has(const struct probe *probe, const struct ast_node *target)
{
	return probe && (probe->nwatches || is_sample(probe)) &&
	       target->u.target.form == TARGET_DOLLAR && !strcmp(target->u.target.name, "$pmu");
}

static struct ast_node *call_of(struct program *prog, const struct ast_node *at,
				const struct builtin *builtin, struct ast_node *arg)
{
	struct ast_node *call = ast_node_new(prog->ast, AST_CALL, at->loc);

	call->mark = at->mark;
	call->u.call.builtin = builtin;
	call->u.call.name = builtin->name;
	ast_append(prog->ast, &call->u.call.args, arg);
	return call;
}

static struct ast_node *number_at(struct program *prog, const struct ast_node *at, gint64 value)
{
	struct ast_node *number = ast_node_new(prog->ast, AST_NUMBER, at->loc);

	number->mark = at->mark;
	number->u.number.value = value;
	return number;
}

static struct ast_node *read_of(struct program *prog, const struct ast_node *at,
				const struct builtin *builtin, const struct rt_event *event)
{
	return call_of(prog, at, builtin, number_at(prog, at, row_of(prog, event)));
}

/* $pmu->data_addr, $pmu->branch[i] */
static struct ast_node *lower_sampled(struct program *prog, const struct probe *probe,
				      const struct ast_node *target, const char **why)
{
	const struct ast_suffix *suffix = target->u.target.suffixes;
	unsigned n = target->u.target.nsuffixes, i = 0;
	struct ast_node *arg;

	*why = "$pmu has the members data_addr, latency, instruction_latency, retire_latency, source, data_src, branch[i], "
	       "branch_to[i], branch_missed[i] and branch_cycles[i]";
	if (!strcmp(suffix->member, "pmd"))
		*why = "only Itanium's PMU had such registers; for pmd[2] write $pmu->data_addr, for pmd[3] $pmu->latency, for pmd[8] "
		       "and those behind it $pmu->branch[i], for pmd[17] $pt_regs->ip";
	while (i < G_N_ELEMENTS(sampled) && strcmp(sampled[i].name, suffix->member))
		i++;
	if (i == G_N_ELEMENTS(sampled) || target->u.target.address_of ||
	    n != (sampled[i].number < 0 ? 2 : 1) || (n == 2 && suffix[1].kind != SUFFIX_INDEX))
		return NULL;
	*why = "only samples of pmu.profile come with it";
	if (!is_sample(probe))
		return NULL;
	arg = n == 2 ? suffix[1].index : number_at(prog, target, sampled[i].number);
	if (sampled[i].builtin == &source_text)		/* of the number */
		arg = call_of(prog, target, &data_addr, arg);
	return call_of(prog, target, sampled[i].builtin, arg);
}

struct ast_node *perf_counter_lower(struct program *prog, const struct probe *probe,
				    const struct ast_node *target, const char **why)
{
	const struct ast_suffix *index =
		target->u.target.nsuffixes == 1 ? &target->u.target.suffixes[0] : NULL;
	const struct probe_watch *w;

	if (target->u.target.nsuffixes && target->u.target.suffixes[0].kind == SUFFIX_MEMBER)
		return lower_sampled(prog, probe, target, why);
	*why = "write it $pmu[0], $pmu[1] ...: the counts in the order of the startwatches";
	if (!index || index->kind != SUFFIX_INDEX || index->index->kind != AST_NUMBER ||
	    target->u.target.address_of)
		return NULL;
	if (index->index->u.number.value < 0 || index->index->u.number.value >= probe->nwatches) {
		*why = ast_printf(prog->ast, "the probe point has %u startwatch%s, counted from 0", probe->nwatches,
				  probe->nwatches == 1 ? "" : "es");
		return NULL;
	}
	w = &probe->watches[index->index->u.number.value];
	if (row_of(prog, &w->event) >= RT_MAXEVENTS) {
		*why = TOO_MANY_EVENTS;
		return NULL;
	}
	return read_of(prog, target, w->system ? &of_cpu : &of_thread, &w->event);
}

struct ast_node *perf_counter_quality(struct program *prog, const struct ast_node *call,
				      struct diag_sink *diag_to)
{
	const struct ast_node *text = call->u.call.args.at[0];
	struct rt_event event;
	u64 period, hertz;

	if (text->kind != AST_STRING) {
		diag(diag_to, &text->mark, D_ATOP_CONTEXT, "pmu_quality()",
		     "the text of an event, as its startwatch has it");
		return NULL;
	}
	if (perf_counter_event(prog, text->u.string.text, &text->mark, &event, &period, &hertz,
			       diag_to))
		return NULL;
	if (row_of(prog, &event) >= RT_MAXEVENTS) {
		diag(diag_to, &text->mark, D_EVENT, TOO_MANY_EVENTS);
		return NULL;
	}
	return read_of(prog, call, &quality_of, &event);
}

/* The event that perf.type().config().counter("NAME") counts; NULL: there is no such probe. */
static const struct rt_event *find_counter(const struct program *prog, const char *name)
{
	for (unsigned i = 0; i < prog->probes->len; i++) {
		const struct probe *p = prog->probes->pdata[i];
		const struct rt_pmu *row = p->row;

		if (p->family->row == ROW_PMU && row->counter && !strcmp(row->counter, name))
			return &row->event;
	}
	return NULL;
}

struct ast_node *perf_counter_perf(struct program *prog, const struct ast_node *atop,
				   const char **why)
{
	const struct ast_list *args = &atop->u.atop.args;
	const struct rt_event *event = args->n == 1 && args->at[0]->kind == AST_STRING
					       ? find_counter(prog, args->at[0]->u.string.text)
					       : NULL;

	*why = "a probe perf.type(T).config(C).counter(\"NAME\") of that name";
	if (!event)
		return NULL;
	*why = "one event less: " TOO_MANY_EVENTS;
	return row_of(prog, event) < RT_MAXEVENTS ? read_of(prog, atop, &of_thread, event) : NULL;
}

const char *perf_counter_name(const struct program *prog, const struct ast_node *call)
{
	const struct builtin *builtin = call->kind == AST_CALL ? call->u.call.builtin : NULL;

	if (builtin != &of_thread && builtin != &of_cpu)
		return NULL;
	return g_array_index(prog->events, struct rt_event,
			     call->u.call.args.at[0]->u.number.value)
		.name;
}

int perf_counter_is_address(const struct ast_node *call)
{
	const struct builtin *builtin = call->kind == AST_CALL ? call->u.call.builtin : NULL;

	return builtin &&
	       (builtin == &branch_from || builtin == &branch_to ||
		(builtin == &data_addr &&
		 call->u.call.args.at[0]->u.number.value == RT_SAMPLED_ADDR));
}
