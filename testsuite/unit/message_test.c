/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * message_test.c - the kernel runtime's queue of messages against a list of numbers: whatever is
 * put in while there is room comes out, whole and in order; warnings without end leave room for
 * what counts.
 */
#include "runtime/core/core.h"
#include "runtime/kernel/session/session.h"
#include "runtime/kernel/transport/message.h"
#include "testsuite/unit/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBES = 70000, WARNINGS = 400000 };	/* more probes than 16 bits can tell apart */

const struct rt_script rt_script = { .abi = RT_ABI, .name = "none", .nprobes = PROBES };
void *runtime_alloc(u64 bytes) { return calloc(1, bytes); }
void runtime_free(void *p) { free(p); }
void runtime_wake(void) { }

static u32 seed = 1;
static u32 any(u32 n)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 8) % n;
}

/*
 * Takes once; checks that the numbers of WIRE_ACCOUNT messages go on from *next. How many messages.
 */
static u32 take(u32 size, u64 *next)
{
	static u64 buf[65536 / 8];
	u32 n = message_take(buf, size), at = 0, count = 0;

	while (at < n) {
		const struct wire_msg *m = (const struct wire_msg *)((u8 *)buf + at);

		CHECK(m->len >= sizeof(*m) && !(m->len & 7) && m->len <= n - at);
		if (m->len < sizeof(*m))
			exit(1);
		if (m->type == WIRE_ACCOUNT)
			CHECK((!m->id || m->id == *next) && *(const u64 *)(m + 1) == (*next)++);
		at += m->len;
		count++;
	}
	CHECK(at == n);
	return count;
}

static void test_order(void)
{
	u64 put = 0, next = 0, body[64] = { 0 };

	CHECK(message_load() == 0 && !message_pending());
	for (int i = 0; i < 300000; i++) {
		body[0] = put;
		if (any(5) < 3)
			put += runtime_message(WIRE_ACCOUNT, 0, body, 8 + any(500)) != 0;
		else
			take(4096 + any(60000), &next);
	}
	while (message_pending())
		take(65536, &next);
	CHECK(next == put && put > 100000);
	message_unload();
}

/* Nothing is read while a script warns; then all accounts arrive, and the end. */
static void test_flood(void)
{
	static const char text[100] = "warning";
	u64 body[sizeof(struct wire_account) / 8] = { 0 }, next = 0;
	u32 refused = 0, messages = 0;

	CHECK(message_load() == 0);
	for (int i = 0; i < WARNINGS; i++)
		refused += !runtime_message(WIRE_WARNING, 0, text, sizeof(text));
	CHECK(refused > 50000);
	for (u32 i = 0; i < PROBES; i++) {
		body[0] = i;
		CHECK(runtime_message(WIRE_ACCOUNT, i, body, sizeof(body)));
	}
	CHECK(runtime_message(WIRE_STOPPED, 0, "", 0));
	while (message_pending())
		messages += take(65536, &next);
	CHECK(next == PROBES && messages == WARNINGS - refused + PROBES + 1);
	/* The loss is reported as soon as there is room. */
	CHECK(runtime_message(WIRE_ACCOUNT, 0, &next, 8) && take(65536, &next) == 2);
	message_unload();
}

int main(void)
{
	test_order();
	test_flood();
	if (!failures)
		puts("messages: in order, none displaced");
	return failures != 0;
}
