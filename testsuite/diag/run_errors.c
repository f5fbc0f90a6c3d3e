/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_errors.c - a script's shared object without a script: it sends errors and skipped probes that
 * no runtime would send so, and those whose texts are another row's.
 */
#include "runtime/rt.h"
#include "runtime/wire.h"

#include <stdlib.h>
#include <string.h>

RT_SOURCE("the first place", "        source: first\\n                ^");
RT_SOURCE("the second place", "        source: second\\n                ^");

static struct wire_ring ring = { .magic = WIRE_MAGIC, .size = 4096 };
static u8 queue[65536] __attribute__((aligned(8)));
static u32 used;

static void put(u16 type, u32 id, const void *head, u32 head_bytes, const void *rest, u32 bytes)
{
	struct wire_msg m = { .len = (u32)(sizeof(m) + head_bytes + bytes + 7) & ~7U, .type = type, .id = id };

	memcpy(queue + used, &m, sizeof(m));
	memcpy(queue + used + sizeof(m), head, head_bytes);
	memcpy(queue + used + sizeof(m) + head_bytes, rest, bytes);
	used += m.len;
}

static void error(u32 row, u32 near, const char *text)
{
	struct wire_error e = { .row = row, .near = near };

	put(WIRE_ERROR, 0, &e, sizeof(e), text, (u32)strlen(text) + 1);
}

static void skip(u32 id, u32 row, const char *what)
{
	struct wire_skipped s = { .row = row };

	put(WIRE_SKIPPED, id, &s, sizeof(s), what, (u32)strlen(what) + 1);
}

static int module_open(const struct wire_open *how)
{
	static const char points[][8] = { "one\0a", "two\0a", "three\0a", "four\0a" };
	struct wire_hello h = { .magic = WIRE_MAGIC, .version = WIRE_VERSION, .abi = RT_ABI, .ncpus = 1, .nprobes = 4,
				.ring_bytes = WIRE_RING_HEADER + 4096 };

	put(WIRE_HELLO, 0, &h, sizeof(h), "", 0);
	for (u32 i = 0; i < 4; i++)
		put(WIRE_PROBE, i, points[i], sizeof(points[i]), "", 0);
	put(WIRE_READY, 0, "", 0, "", 0);
	return 0;
}

static void start(void)
{
	static const u64 ones = ~0ULL;

	error(0xE0901, 1, "quotient of nothing near the first place");
	error(0xE0901, 2, "a place whose text is not the section's");
	error(0xE0914, 1, "lines that were shown are not shown again");
	error(0xE0900, 0, "division by 0");
	error(0xE0900, 2, "MAXACTION exceeded near the second place");
	error(0xE0999, 0, "a row of a later version");
	error(0xE0912, 3, "a place behind the last one");
	error(0xE0913, ~0U, "a place far behind it");
	put(WIRE_ERROR, 0, &ones, sizeof(ones), "", 0);			/* no text */
	put(WIRE_ERROR, 0, &ones, sizeof(ones), "unended!", 8);
	put(WIRE_ERROR, 0, &ones, 4, "", 0);
	skip(0, 0xE0945, "");
	skip(1, 0xE0945, "");
	skip(1, 0xE0945, "");			/* one probe's second place */
	skip(2, 0xE0918, "EBUSY");
	skip(3, 0xE0999, "of a later version");
	skip(4, 0xE0945, "");			/* no such probe */
	skip(0xffffff, 0xE0945, "");
	put(WIRE_SKIPPED, 0, &ones, sizeof(ones), "", 0);
	put(WIRE_SKIPPED, 3, &ones, 4, "", 0);
	put(WIRE_STARTED, 0, "", 0, "", 0);
	put(WIRE_EXIT, 0, "", 0, "", 0);
	if (getenv("DAMAGED")) {
		struct wire_msg *m = (struct wire_msg *)(queue + used);

		put(WIRE_WARNING, 0, "lost", 5, "", 0);
		m->len = 4;
	}
}

static long module_command(const void *cmd, unsigned long len)
{
	const struct wire_msg *m = cmd;

	if (m->type == WIRE_START)
		start();
	if (m->type == WIRE_STOP)
		put(WIRE_STOPPED, 0, "", 0, "", 0);
	return (long)len;
}

static long module_messages(void *buf, unsigned long size)
{
	u32 n = used;

	memcpy(buf, queue, n);
	used = 0;
	return n;
}

static struct wire_ring *module_ring(u32 cpu) { return &ring; }
static int poll_fds(int *fds, int max) { return 0; }
static long pump(void) { return 1000000; }
static void module_close(void) { }

const struct wire_module lapwing_module = {
	.magic = WIRE_MAGIC, .version = WIRE_VERSION, .open = module_open, .command = module_command,
	.messages = module_messages, .ring = module_ring, .poll_fds = poll_fds, .pump = pump,
	.close = module_close,
};
