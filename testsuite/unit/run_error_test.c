/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_error_test.c - errors of handlers, and of the run itself, as the consumer gets them: the row,
 * the place and the text.
 */
#include "runtime/core/core.h"
#include "runtime/core/ctx.h"
#include "runtime/core/refuse.h"
#include "testsuite/unit/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct rt_probe probes[] = { { .point = "begin" }, { .point = "end" } };
static const char *const near[] = { "", "operator '/' at x:1:1" };
const struct rt_script rt_script = {
	.abi = RT_ABI, .maxstring = 64, .name = "x", .probes = probes, .nprobes = 2,
	.near = near, .nnear = 2, .limits = { .maxaction = 100, .arena = 8192 },
};

/* The last message. */
static struct {
	u32		type, id;
	struct wire_error error;	/* of a WIRE_ERROR, whose text follows */
	char		body[512];
} last;

int runtime_message(u16 type, u32 id, const void *p, u32 len)
{
	u32 head = type == WIRE_ERROR ? sizeof(last.error) : 0;

	memset(&last, 0, sizeof(last));
	last.type = type;
	last.id = id;
	memcpy(&last.error, p, head);
	CHECK(len - head <= sizeof(last.body) && !((const char *)p)[len - 1]);
	memcpy(last.body, (const char *)p + head, len - head);
	return 1;
}

static struct rt_ctx *make(void)
{
	struct rt_ctx *c = malloc(sizeof(*c));

	ctx_init(c, calloc(1, ctx_bytes()), 0, 0);
	ctx_begin(c, &probes[0]);
	return c;
}

/* True if the last message is this error. */
static int said(enum run_error row, u32 near_row, const char *text)
{
	return last.type == WIRE_ERROR && last.error.row == row && last.error.near == near_row &&
	       !strcmp(last.body, text);
}

/* True if the hit ended by this error; begins another. */
static int ended(struct rt_ctx *c, enum run_error row, u32 near_row, const char *text)
{
	int failed = ctx_end(c);

	ctx_begin(c, &probes[0]);
	return failed && said(row, near_row, text);
}

static void test_handlers(void)
{
	struct rt_ctx *c = make();
	struct rt_strvar caught;

	CHECK(RUN_DIVISION == 0xE0901);
	rt_div(c, 1, 0);
	rt_failed(c, 1);
	rt_stringat(c, RT_STR("a"), 7);		/* the first error sticks */
	CHECK(ended(c, RUN_DIVISION, 1, "division by 0 near operator '/' at x:1:1"));
	rt_stringat(c, RT_STR("a"), 7);
	CHECK(ended(c, RUN_POSITION, 0, "Position out of bounds"));
	rt_error(c, RT_STR("division by %s"));	/* a script's text is no row's */
	CHECK(ended(c, RUN_OTHER, 0, "division by %s"));
	rt_error(c, RT_STR(""));
	CHECK(ended(c, RUN_OTHER, 0, "Unknown error."));
	ctx_fail_with(c, RUN_ARRAY, "50 %s");
	CHECK(ended(c, RUN_ARRAY, 0, "Array overflow, check 50 %s"));
	ctx_fault(c, RUN_USER_STRING, 0x1f);
	CHECK(ended(c, RUN_USER_STRING, 0,
		    "user string copy fault -14 at 0x1f [man error::fault]"));
	rt_charge(c, 1000);
	CHECK(ended(c, RUN_MAXACTION, 0, "MAXACTION exceeded"));
	caught = rt_strvar(c);
	rt_try(c);
	rt_exhausted(c);
	CHECK(rt_catch(c, &caught) && !rt_cmp(rt_get(&caught), RT_STR("all functions exhausted")));
	ctx_abort(c);
	last.type = 0;
	CHECK(!ctx_end(c) && !last.type);
	free(c->arena);
	free(c);
}

static void test_run(void)
{
	static char what[1000];

	core_error(RUN_FILES, "begin");
	CHECK(said(RUN_FILES, 0, "probe begin: too many open files"));
	core_error(RUN_SKIPPED, NULL);
	CHECK(last.error.row == RUN_SKIPPED && !strncmp(last.body, "Skipped too many", 16));
	core_error((enum run_error)1, "of another version");
	CHECK(said((enum run_error)1, 0, "of another version"));
	memset(what, 'x', sizeof(what) - 1);
	core_error(RUN_FILES, what);		/* cut, as runtime_message() has checked */
	CHECK(!strncmp(last.body, "probe xxx", 9));
}

static void test_refusals(void)
{
	static const struct refusal table[] = {
		{ -ENOENT,	RUN_FUNCTION_NONE },
		{ -EINVAL,	RUN_FUNCTION_FORBIDDEN },
		{ 0,		RUN_REGISTRATION },
	};
	const struct wire_skipped *skipped = (const struct wire_skipped *)last.body;

	CHECK(refusal_row(table, -ENOENT) == RUN_FUNCTION_NONE);
	CHECK(refusal_row(table, -EINVAL) == RUN_FUNCTION_FORBIDDEN);
	CHECK(refusal_row(table, -EBUSY) == RUN_REGISTRATION);
	CHECK(refuse_errno(&probes[1], 0, -EINVAL, table) == -EINVAL);
	CHECK(last.error.row == RUN_FUNCTION_FORBIDDEN && strstr(last.body, " (rc -22): "));
	CHECK(refuse_errno(&probes[0], 0, -EBUSY, table) == -EBUSY);
	CHECK(said(RUN_REGISTRATION, 0,
		   "probe begin registration error [man warning::pass5] (rc -16): the kernel refuses it: EBUSY"));
	refuse_errno(&probes[0], 0, -9999, table);
	CHECK(strstr(last.body, "the kernel refuses it: an unknown error"));
	CHECK(refuse_errno(&probes[1], 1, -EBUSY, table) == 0);
	CHECK(last.type == WIRE_SKIPPED && last.id == 1 && skipped->row == RUN_REGISTRATION);
	CHECK(!strcmp((const char *)(skipped + 1), "EBUSY"));
}

/* What starts reports why it does not, or else its caller does: once. */
static void test_starts(void)
{
	core_start_failed("timer", -EBUSY);
	CHECK(said(RUN_START, 0, "cannot arm the probes: timer: EBUSY"));
	last.type = 0;
	core_start_failed("timer", -EBUSY);
	CHECK(!last.type);
}

static void test_probes(void)
{
	const struct wire_skipped *skipped = (const struct wire_skipped *)last.body;
	static char what[1000];

	CHECK(refuse_probe(&probes[1], 0, -2, RUN_FUNCTION_NONE, NULL) == -2);
	CHECK(said(RUN_FUNCTION_NONE, 0,
		   "probe end registration error [man warning::pass5] (rc -2): this kernel has no such function"));
	CHECK(refuse_probe(&probes[1], 1, -22, RUN_NOP_CALL, "why") == 0);
	CHECK(last.type == WIRE_SKIPPED && last.id == 1 && skipped->row == RUN_NOP_CALL);
	CHECK(!strcmp((const char *)(skipped + 1), "why"));
	memset(what, 'x', sizeof(what) - 1);
	CHECK(refuse_probe(&probes[0], 0, -5, RUN_NOP_CALL, what) == -5);
	CHECK(refuse_probe(&probes[0], 1, -5, RUN_NOP_CALL, what) == 0 && last.id == 0);
}

int main(void)
{
	test_handlers();
	test_starts();		/* before another error is sent */
	test_run();
	test_probes();
	test_refusals();
	if (!failures)
		puts("run errors: all checks passed");
	return failures != 0;
}
