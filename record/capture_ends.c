/* SPDX-License-Identifier: GPL-2.0-or-later */
/* capture_ends.c - see capture_ends.h. */
#include "config.h"

#include "record/capture_ends.h"

#include "lib/boot.h"
#include "lib/clock.h"
#include "lib/verdict.h"

#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

Cap__Header *capture_header(void)
{
	static struct utsname name;
	static Cap__Header m;

	uname(&name);
	cap__header__init(&m);
	m.version = CAPTURE_VERSION;
	m.machine = name.machine;
	m.kernel = name.release;
	m.host = name.nodename;
	m.boot = (char *)boot_id();
	m.start_ns = clock_ns();
	m.wall_ns = (guint64)g_get_real_time() * 1000;
	m.cpus = (guint32)sysconf(_SC_NPROCESSORS_ONLN);
	m.program = (char *)"lapwing " PACKAGE_VERSION;
	return &m;
}

void capture_put_header(struct capture_writer *w, Cap__Header *m, const GArray *events)
{
	Cap__Event *rows = g_new(Cap__Event, events->len),
		   **list = g_new(Cap__Event *, events->len);
	Cap__Frame frame = CAP__FRAME__INIT;

	for (guint i = 0; i < events->len; i++) {
		const struct record_event *e = &g_array_index(events, struct record_event, i);

		cap__event__init(&rows[i]);
		rows[i].name = e->name;
		rows[i].period = e->blocked ? 0 : e->period;
		rows[i].unit =
			e->nanoseconds ? CAP__EVENT__UNIT__NANOSECONDS : CAP__EVENT__UNIT__COUNT;
		rows[i].blocked = e->blocked;
		list[i] = &rows[i];
	}
	m->n_events = events->len;
	m->events = list;
	frame.what_case = CAP__FRAME__WHAT_HEADER;
	frame.header = m;
	capture_put(w, &frame);
	g_free(rows);
	g_free(list);
}

guint64 capture_lost(const struct rings_books *r)
{
	guint64 left_out = r->missing > r->asleep ? r->missing - r->asleep : 0;

	return MAX(rings_lost(), left_out);
}

Cap__Books capture_books(const struct rings_books *r, const struct handled *k, guint64 end,
			 guint64 cpu_ns)
{
	Cap__Books m = CAP__BOOKS__INIT;

	m.end_ns = end;
	m.lost = capture_lost(r);
	m.expected = k->received + r->asleep + m.lost;
	m.skips_unknown = (r->known ? 0 : SKIPS_OF_KERNEL) | (r->refused ? SKIPS_OF_CPUS : 0);
	m.asleep = r->asleep;
	m.received = k->received;
	m.throttled = r->throttled;
	m.idle = k->idle;
	m.own = k->own;
	m.own_cpu_ns = cpu_ns;
	m.paused_ns = k->paused;
	return m;
}

void capture_put_books(struct capture_writer *w, Cap__Books *books, int unnamed)
{
	Cap__Frame frame = CAP__FRAME__INIT;

	books->unnamed = unnamed;
	frame.what_case = CAP__FRAME__WHAT_BOOKS;
	frame.books = books;
	capture_put(w, &frame);
}

guint64 capture_cpu(int who)
{
	struct rusage u;

	getrusage(who, &u);
	return (guint64)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000000 +
	       (guint64)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000;
}
