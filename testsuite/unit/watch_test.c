/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watch_test.c - what lapwing watch counts for whom: the table of counts beside GLib's, units of
 * processes as records tell of them, and the names of control groups.
 */
#include "record/rings.h"
#include "report/cgroup.h"
#include "testsuite/unit/check.h"
#include "watch/counts.h"
#include "watch/units.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- counts ----------------------------------------------------------------------*/

static void test_counts(void)
{
	GHashTable *model = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	struct counts c = { 0 };
	guint64 samples = 0, weight = 0;
	guint32 rows = 0;

	for (int i = 0; i < 200000; i++) {
		struct count_key key = { .stack = (guint32)random() % 500 * 1021,
					 .unit = (guint32)random() % 20,
					 .event = (guint16)(random() % 2),
					 .flaws = (guint16)(random() % 4) };
		char *name = g_strdup_printf("%u %u %u %u", key.stack, key.unit, key.event, key.flaws);
		gpointer n = g_hash_table_lookup(model, name);

		counts_add(&c, key, 7);
		g_hash_table_replace(model, name, GUINT_TO_POINTER(GPOINTER_TO_UINT(n) + 1));
	}
	for (const struct count_row *r = counts_next(&c, NULL); r; r = counts_next(&c, r), rows++) {
		char *name = g_strdup_printf("%u %u %u %u", r->key.stack, r->key.unit, r->key.event,
					     r->key.flaws);

		CHECK(r->count == GPOINTER_TO_UINT(g_hash_table_lookup(model, name)));
		samples += r->count;
		weight += r->weight;
		g_free(name);
	}
	CHECK(samples == 200000 && weight == 7 * samples);
	CHECK(rows == c.used && rows == g_hash_table_size(model));
	g_hash_table_unref(model);
	counts_clear(&c);
	CHECK(!counts_next(&c, NULL));
}

/* ---- units -----------------------------------------------------------------------*/

#define PARENT	0x7ff00000	/* processes that do not exist, but in records */
#define CHILD	0x7ff00001

struct record {
	struct perf_event_header h;
	gint32	w[4];
};

static void tell(guint32 type, guint16 misc, gint32 a, gint32 b, gint32 c, const char *name)
{
	struct record r = { .h = { .type = type, .misc = misc, .size = sizeof(r) },
			    .w = { a, b, c, 0 } };

	if (name)
		g_strlcpy((char *)&r.w[2], name, 8);
	units_process(&r.h);
}

static int is_named(gint32 pid, const char *name)
{
	return !strcmp(units_at(units_of(pid, 0))->name, name);
}

static void test_units(void)
{
	guint32 before;

	units_open();
	CHECK(is_named(0, "idle") && is_named(PARENT + 9, "?"));
	tell(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, PARENT, PARENT, 0, "server");
	CHECK(is_named(PARENT, "server"));
	tell(PERF_RECORD_FORK, 0, CHILD, PARENT, CHILD, NULL);
	CHECK(units_of(CHILD, 0) == units_of(PARENT, 0));
	before = units_count();
	tell(PERF_RECORD_FORK, 0, PARENT, PARENT, CHILD + 1, NULL);	/* a thread */
	tell(PERF_RECORD_COMM, 0, PARENT, CHILD + 1, 0, "worker");	/* its name */
	CHECK(is_named(PARENT, "server") && units_count() == before);
	tell(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, CHILD, CHILD, 0, "tool");
	CHECK(is_named(CHILD, "tool") && is_named(PARENT, "server"));
	tell(PERF_RECORD_EXIT, 0, CHILD, PARENT, CHILD, NULL);
	units_sweep();
	CHECK(is_named(CHILD, "tool"));			/* of a sample that comes late */
	units_sweep();
	CHECK(is_named(CHILD, "?"));
	tell(PERF_RECORD_FORK, 0, CHILD, PARENT, CHILD, NULL);	/* the ID is given again */
	CHECK(is_named(CHILD, "server"));
	tell(RECORD_LOOKED, 0, CHILD, CHILD, 0, "other");
	CHECK(is_named(CHILD, "other"));
	tell(PERF_RECORD_CGROUP, 0, 0x7fff0001, 0, 0, "/a.serv");
	CHECK(!strcmp(units_at(units_of(CHILD, 0x7fff0001))->cgroup, "/a.serv"));
	CHECK(!*units_at(units_of(CHILD, 0x7fff0002))->cgroup && !*units_at(units_of(CHILD, 0))->cgroup);
	CHECK(is_named(getpid(), "watch_test") || is_named(getpid(), "lt-watch_test"));
	CHECK(is_named(2, "kthreadd") && !*units_at(units_of(2, 0))->cgroup);
}

size_t __sanitizer_get_current_allocated_bytes(void);	/* of the address sanitizer */

/* Weeks of processes, whose ends are not told, and of control groups: what has ended takes no memory. */
static void test_forgets(void)
{
	size_t before = 0;

	for (gint32 week = 0; week < 20; week++) {
		for (gint32 i = 0; i < 500; i++) {
			gint32 id = week * 500 + i;
			char name[8];

			g_snprintf(name, sizeof(name), "/%d", id % 100000);
			tell(PERF_RECORD_CGROUP, 0, id, 0x100, 0, name);
			tell(PERF_RECORD_FORK, 0, CHILD + id, PARENT, CHILD + id, NULL);
			units_of(CHILD + id, (guint64)0x100 << 32 | (guint32)id);
		}
		units_clear();
		units_sweep();
		if (week == 9)
			before = __sanitizer_get_current_allocated_bytes();
	}
	CHECK(__sanitizer_get_current_allocated_bytes() < before + before / 4);
}

/* ---- control groups ----------------------------------------------------------------*/

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void test_cgroup(const char *path, const char *want)
{
	GString *got = g_string_new(NULL);

	cgroup_unit(got, path);
	if (strcmp(got->str, want))
		printf("%s: '%s', not '%s'\n", path, got->str, want);
	CHECK(!strcmp(got->str, want));
	g_string_free(got, TRUE);
}

int main(void)
{
	static const char *const groups[][2] = {
		{ "", "-" },
		{ "/", "-" },
		{ "/system.slice/nginx.service", "nginx.service" },
		{ "/system.slice/system-getty.slice/getty@tty1.service", "getty@tty1.service" },
		{ "/system.slice/nginx.service/workers", "nginx.service" },
		{ "/user.slice/user-1000.slice/session-3.scope", "session-3.scope" },
		{ "/user.slice/user-1000.slice/user@1000.service/app.slice/app-vi-7.scope", "app-vi-7.scope" },
		{ "/docker/" ID, "docker-0123456789ab" },
		{ "/system.slice/docker-" ID ".scope", "docker-0123456789ab" },
		{ "/machine.slice/libpod-" ID ".scope/container", "libpod-0123456789ab" },
		{ "/kubepods.slice/kubepods-burstable.slice/pod1/cri-containerd-" ID ".scope",
		  "cri-containerd-0123456789ab" },
		{ "/lxc.payload.web", "lxc.payload.web" },
		{ "/docker/" ID "0", ID "0" },		/* one digit more: another thing */
		{ "/batch/job7", "job7" },
	};

	test_counts();
	test_units();
	test_forgets();
	for (guint i = 0; i < G_N_ELEMENTS(groups); i++)
		test_cgroup(groups[i][0], groups[i][1]);
	return failures != 0;
}
