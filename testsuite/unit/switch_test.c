/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * switch_test.c - counts of threads, of which the user runtime is told by records of context
 * switches, where the kernel makes none of some: the calls that this makes wrong, and no others,
 * are not proven.
 */
#include "runtime/core/ctx.h"
#include "runtime/user/context/enter.h"
#include "runtime/user/events/merge.h"
#include "runtime/user/events/source.h"
#include "runtime/user/values/pmu.c"
#include "runtime/user/context/regs.h"
#include "testsuite/unit/check.h"

enum { CPU, OUR_TID = 100, OTHER_TID = 200, HIDDEN_TID = 300, LEFT_AT = 8, CAME_AT = 12 };

static void keep(struct rt_ctx *c) { (void)c; }
static struct rt_probe probes[] = { { .handler = keep, .capture = RT_CAP_PMU },
				    { .handler = keep } };
static const struct rt_event events[] = {
	{ .name = "page-faults", .type = PERF_TYPE_SOFTWARE, .config = { PERF_COUNT_SW_PAGE_FAULTS } },
	{ .name = "task-clock", .type = PERF_TYPE_SOFTWARE, .config = { PERF_COUNT_SW_TASK_CLOCK } },
};
const struct rt_script rt_script = { .abi = RT_ABI,
				     .name = "none",
				     .nprobes = 2,
				     .probes = probes,
				     .nevents = 2,
				     .events = events,
				     .capture = RT_CAP_PMU };
struct user_session session = { .state = STATE_RUNNING };
static u64 lost_until, returned, unproven, nmixed, clock_ns;
static u32 mixed;			/* of the call that has ended last */

/* ---- what a runtime around it would do ----------------------------------------------*/

int loss_holds(u64 time) { return time <= lost_until; }
void enter_probe(const struct rt_probe *p, struct hit *hit)
{
	p == &probes[0] ? (void)(hit->keeping.done = 1) : (void)returned++;
}
void enter_unproven(const struct rt_probe *p, const struct hit *hit)
{
	(void)p;
	(void)hit;
	unproven++;
}
void enter_mixed(const struct rt_probe *p, const struct hit *hit) { (void)p; (void)hit; nmixed++; }
void enter_failed(const struct rt_probe *p, const struct hit *hit) { (void)p; (void)hit; }
void enter_no_slot(const struct rt_probe *p) { (void)p; }
void enter_off(const struct rt_probe *p) { (void)p; }
void enter_jumped(const struct rt_probe *p) { (void)p; }
int enter_wants(const struct rt_probe *p, const struct hit *hit) { (void)p; (void)hit; return 1; }
int loss_has_been(void) { return lost_until != 0; }
u64 regs_call_bytes(void) { return 8; }
void message_text(u16 type, const char *format, ...) { (void)type; (void)format; }
void message_error(enum run_error row, const char *format, ...) { (void)row; (void)format; }
void ctx_fail(struct rt_ctx *c, enum run_error row) { (void)c; (void)row; CHECK(0); }
static struct event_source leader = { .hit = switched, .cpu = CPU };
struct event_source *source_first(void) { return &leader; }
int source_count(const struct event_source *s, u64 *count) { (void)s; *count = 0; return 0; }
u64 merge_lost(const struct merge_tally *tally) { (void)tally; return 0; }
void merge_close(hit_fn *hit) { (void)hit; }
int merge_open_process(s32 pid, const struct perf_event_attr *attr, const char *what, hit_fn *hit,
		       const void *row, struct merge_tally *tally)
{
	(void)pid, (void)attr, (void)what, (void)hit, (void)row, (void)tally;
	return 0;
}
int perf_ring_open(struct perf_ring *r, struct perf_event_attr *attr, s32 tid, int cpu, int group,
		   u64 bytes)
{
	(void)r, (void)attr, (void)tid, (void)cpu, (void)group, (void)bytes;
	return 0;
}
const char *tracefs_root(void) { return "/"; }
long tracefs_event(const char *system, const char *name) { (void)system; (void)name; return 1; }
u32 tracefs_field(const char *system, const char *name, const char *field)
{
	(void)system, (void)name;
	return !strcmp(field, "prev_pid") ? LEFT_AT : CAME_AT;
}

/* ---- what happens --------------------------------------------------------------------*/

static struct hit_count counts[3];		/* the leader's, faults on the CPU, time */

static struct hit hit_of(s32 tid)
{
	struct hit hit = { .time = ++clock_ns,
			   .pid = tid,
			   .tid = tid,
			   .cpu = CPU,
			   .counts = counts,
			   .ncounts = 3 };

	pmu_look(&hit);
	return hit;
}

static void switch_to(s32 from, s32 to)
{
	s32 raw[4] = { 0, 0, from, to };
	struct hit hit = hit_of(from);

	hit.raw = (const u8 *)raw;
	hit.raw_bytes = sizeof(raw);
	switched(NULL, &hit);
}

static s64 count_now(struct hit *hit)
{
	struct rt_ctx c = { .hit = hit };

	return rt_pmu(&c, 0);
}

static const struct call_row row = { .row = &row, .probe = &probes[1], .keeper = &probes[0] };

static s64 begin(s32 tid)
{
	struct hit hit = hit_of(tid);

	call_enter(&row, &hit, (u64)tid << 12);
	return count_now(&hit);
}

static s64 end(s32 tid)
{
	struct hit hit = hit_of(tid);

	call_return(&row, &hit, (u64)tid << 12);
	mixed = hit.mixed;
	return count_now(&hit);
}

/* hidden: of the thread that runs in between nobody tells when it leaves. */
static void test(int hidden, u64 proven, u64 not_proven, u64 not_its_own, u64 want_unseen)
{
	s64 before;

	CHECK(pmu_start() == 0);
	returned = unproven = nmixed = 0;
	switch_to(OTHER_TID, OUR_TID);
	before = begin(OUR_TID);
	counts[1].value += 2;			/* its own */
	switch_to(OUR_TID, OTHER_TID);
	begin(OTHER_TID);
	counts[1].value += 10;
	switch_to(OTHER_TID, HIDDEN_TID);
	begin(HIDDEN_TID);
	counts[1].value += 100;
	if (!hidden)
		switch_to(HIDDEN_TID, OUR_TID);
	if (!hidden)
		CHECK(end(OUR_TID) - before == 2);
	else
		end(OUR_TID);
	before = begin(OUR_TID);
	counts[1].value += 3;
	CHECK(end(OUR_TID) - before == 3);	/* what is behind it is right again */
	switch_to(OUR_TID, OTHER_TID);
	end(OTHER_TID);
	switch_to(OTHER_TID, HIDDEN_TID);
	end(HIDDEN_TID);
	CHECK(returned == proven && unproven == not_proven && nmixed == not_its_own &&
	      unseen[0] == want_unseen && !unseen[1]);
	CHECK(!strcmp(rt_pmu_quality(0).p, want_unseen ? "partial" : "exact"));
	pmu_stop();
	call_clear();
}

/* The idle thread has no faults; how long it was on nobody knows. */
static void test_idle(void)
{
	CHECK(pmu_start() == 0);
	returned = unproven = nmixed = 0;
	switch_to(OTHER_TID, OUR_TID);
	begin(OUR_TID);
	switch_to(OUR_TID, 0);
	counts[2].value += 100;
	counts[1].value += 5;			/* its own, since it has come back */
	end(OUR_TID);
	CHECK(mixed == RT_MIXED_TIME && !unseen[0] && unseen[1] == 1);
	CHECK(!strcmp(rt_pmu_quality(0).p, "exact") && !strcmp(rt_pmu_quality(1).p, "partial"));
	begin(OUR_TID);
	counts[2].value += 7;
	end(OUR_TID);
	CHECK(!mixed && returned == 1 && nmixed == 1 && !unproven);
	pmu_stop();
	call_clear();
}

/* is_told: of its coming there is a record; else what it counted is not known to be its own. */
static void test_started(int is_told)
{
	struct rt_ctx c = { 0 };
	struct hit hit;
	u64 made;

	CHECK(pmu_start() == 0);
	switch_to(OTHER_TID, OUR_TID);
	hit = hit_of(OUR_TID);
	c.hit = &hit;
	CHECK(rt_mixed_since(&c, 0) == (RT_MIXED_TIME | RT_MIXED_COUNTS));	/* was not counted */
	rt_count_thread(&c, OTHER_TID);
	made = clock_ns;
	counts[1].value += 10;
	if (is_told)
		switch_to(OUR_TID, OTHER_TID);
	counts[1].value += 3;
	hit = hit_of(OTHER_TID);
	CHECK(rt_mixed_since(&c, (s64)made) == (is_told ? 0 : RT_MIXED_COUNTS));
	CHECK(!is_told || count_now(&hit) == 3);
	CHECK(!rt_mixed_since(&c, (s64)clock_ns));
	pmu_forget(OTHER_TID);
	CHECK(rt_mixed_since(&c, (s64)made) == (RT_MIXED_TIME | RT_MIXED_COUNTS));
	pmu_stop();
}

int main(void)
{
	test_started(1);
	test_started(0);
	test_idle();
	test(0, 4, 0, 0, 0);
	test(1, 2, 0, 2, 1);
	/* that is known already: all is unproven, and the loss has books of its own */
	lost_until = ~0ULL;
	test(1, 0, 4, 0, 0);
	return failures != 0;
}
