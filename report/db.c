/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * db.c - see db.h. What the store has is put into frames, as a capture has them, so that they are
 * checked where those are: a place, a node and a sample for each row, and nodes of callers.
 */
#include "report/db.h"

#include "lib/failure_error.h"
#include "lib/pair_ids.h"
#include "report/key.h"
#include "report/name_frames.h"
#include "runtime/core/caller.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

#define AHEAD	16	/* rows, whose nodes are brought into the cache before it is their turn */

struct filling {
	struct profile	*p;
	enum store_how	how;		/* by epoch: the time of a sample is its epoch's start */
	int		failed;
};

static void take(void *data, const Cap__Frame *frame)
{
	struct filling *f = data;

	f->failed |= profile_take(f->p, frame, NULL) != 0;
}

static void put(struct filling *f, Cap__Frame__WhatCase what, void *message)
{
	Cap__Frame frame = CAP__FRAME__INIT;

	frame.what_case = what;
	frame.header = message;		/* members of the union are pointers */
	take(f, &frame);
}

static void put_header(struct filling *f, struct store *s, const struct store_epoch *e)
{
	char *host = store_about(s, "host"), *machine = store_about(s, "machine"),
	     *kernel = store_about(s, "kernel"), *cpus = store_about(s, "cpus");
	Cap__Event *rows = g_new(Cap__Event, e->events->len), **list = g_new(Cap__Event *, e->events->len);
	Cap__Header m = CAP__HEADER__INIT;

	for (guint i = 0; i < e->events->len; i++) {
		const struct store_event *event = &g_array_index(e->events, struct store_event, i);

		cap__event__init(&rows[i]);
		rows[i].name = event->name;
		rows[i].period = event->period;
		rows[i].unit = event->nanoseconds ? CAP__EVENT__UNIT__NANOSECONDS
						  : CAP__EVENT__UNIT__COUNT;
		list[i] = &rows[i];
	}
	m.version = CAPTURE_VERSION;
	m.host = host;
	m.machine = machine;
	m.kernel = kernel;
	m.cpus = (guint32)strtoul(cpus, NULL, 10);
	m.system_wide = 1;
	m.wall_ns = (guint64)e->start;
	m.n_events = e->events->len;
	m.events = list;
	put(f, CAP__FRAME__WHAT_HEADER, &m);
	g_free(rows);
	g_free(list);
	g_free(host);
	g_free(machine);
	g_free(kernel);
	g_free(cpus);
}

/* A unit is a process, with one thread of the same number. */
static void put_units(struct filling *f, const struct store_epoch *e)
{
	for (guint i = 0; i < e->units->len; i++) {
		const struct store_unit *u = &g_array_index(e->units, struct store_unit, i);
		Cap__Process process = CAP__PROCESS__INIT;
		Cap__Thread thread = CAP__THREAD__INIT;

		process.name = thread.name = u->name;
		process.cgroup = u->cgroup;
		thread.process = i;
		thread.tid = strcmp(u->name, "idle") ? -1 : 0;
		put(f, CAP__FRAME__WHAT_PROCESS, &process);
		put(f, CAP__FRAME__WHAT_THREAD, &thread);
	}
}

static void put_images(struct filling *f, const struct store_epoch *e)
{
	for (guint i = 0; i < e->images->len; i++) {
		const struct store_image *image = &g_array_index(e->images, struct store_image, i);
		Cap__Image m = CAP__IMAGE__INIT;

		m.kind = (Cap__Image__Kind)image->kind;
		m.path = image->path;
		if (image->build_id)
			m.build_id.data = (uint8_t *)g_bytes_get_data(image->build_id, &m.build_id.len);
		put(f, CAP__FRAME__WHAT_IMAGE, &m);
	}
}

/*
 * Numbers of places, by image and offset, and of nodes, by the caller's node (its number plus one) and the place. Without stacks nodes
 * have the numbers of their places, and there is no table of them.
 */
struct numbers {
	struct pair_ids	places, nodes;
	uint32_t	*callers;	/* nodes plus one, by the numbers of the epoch's nodes */
	guint32		put_places, put_nodes;	/* so many have been put into frames */
	int		has_stacks;
};

static guint32 node_of(struct numbers *n, guint32 caller, guint32 image, guint64 offset)
{
	guint32 place = pair_ids_number(&n->places, image, offset);

	return n->has_stacks ? pair_ids_number(&n->nodes, caller, place) : place;
}

static void number_callers(struct numbers *n, const struct store_epoch *e)
{
	n->has_stacks = e->nodes->len != 0;
	n->callers = g_new0(uint32_t, e->nodes->len + 1);
	for (guint i = 0; i < e->nodes->len; i++) {
		const struct segment_node *node = &g_array_index(e->nodes, struct segment_node, i);

		n->callers[i + 1] = node_of(n, n->callers[node->caller], node->image, node->offset) + 1;
	}
}

/* Those that are new. */
static void put_places(struct filling *f, struct numbers *numbers)
{
	const struct pair *new = numbers->places.pairs + numbers->put_places;
	guint n = numbers->places.n - numbers->put_places;
	Cap__Places places = CAP__PLACES__INIT;

	places.n_image = places.n_offset = n;
	places.image = g_new(uint32_t, n);
	places.offset = g_new(uint64_t, n);
	for (guint k = 0; k < n; k++) {
		places.image[k] = (uint32_t)new[k].a;
		places.offset[k] = new[k].b;
	}
	put(f, CAP__FRAME__WHAT_PLACES, &places);
	g_free(places.image);
	g_free(places.offset);
}

static void put_nodes(struct filling *f, struct numbers *numbers)
{
	guint first = numbers->put_nodes, end = numbers->has_stacks ? numbers->nodes.n : numbers->places.n, n = end - first;
	Cap__Stacks stacks = CAP__STACKS__INIT;

	stacks.n_parent = stacks.n_place = n;
	stacks.parent = g_new0(uint32_t, n);
	stacks.place = g_new(uint32_t, n);
	for (guint k = 0; k < n; k++) {
		stacks.place[k] = numbers->has_stacks ? (uint32_t)numbers->nodes.pairs[first + k].b : first + k;
		if (numbers->has_stacks)
			stacks.parent[k] = (uint32_t)numbers->nodes.pairs[first + k].a;
	}
	put(f, CAP__FRAME__WHAT_STACKS, &stacks);
	g_free(stacks.parent);
	g_free(stacks.place);
	numbers->put_places = numbers->places.n;
	numbers->put_nodes = end;
}

/* The rows of a frame of samples: arrays of n each. */
struct columns {
	uint32_t	*thread, *cpu, *stack, *event;
	uint64_t	*weight, *late, *count;
	int64_t		*elapsed;
	protobuf_c_boolean *cut, *uncertain;
};

/* Rows of image i. */
static void put_rows(struct filling *f, const struct store_epoch *e, guint i, struct numbers *numbers)
{
	const GArray *rows = g_ptr_array_index(e->rows, i);
	guint n = rows->len;
	struct columns c = { g_new(uint32_t, n), g_new0(uint32_t, n), g_new(uint32_t, n), g_new(uint32_t, n),
			     g_new(uint64_t, n), g_new0(uint64_t, n), g_new(uint64_t, n), g_new(int64_t, n),
			     g_new0(protobuf_c_boolean, n), g_new0(protobuf_c_boolean, n) };
	Cap__Samples m = CAP__SAMPLES__INIT;
	gint64 before = 0, time;

	for (guint k = 0; k < n; k++) {
		const struct segment_row *r = &g_array_index(rows, struct segment_row, k);

		if (k + AHEAD < n)
			pair_ids_prefetch(&numbers->places, i, r[AHEAD].offset);
		time = f->how & STORE_BY_EPOCH ? g_array_index(e->spans, struct store_span, r->epoch).start - e->start : 0;
		c.elapsed[k] = time - before;
		before = time;
		c.stack[k] = node_of(numbers, numbers->callers[r->stack], i, r->offset) + 1;
		c.thread[k] = r->unit;
		c.event[k] = r->event;
		c.weight[k] = r->weight;
		c.count[k] = r->count;
		c.cut[k] = !!(r->flaws & STACK_CUT);
		c.uncertain[k] = !!(r->flaws & STACK_UNCERTAIN);
	}
	put_places(f, numbers);
	put_nodes(f, numbers);
	m.n_elapsed = m.n_thread = m.n_cpu = m.n_stack = m.n_event = m.n_weight = m.n_late = m.n_cut = m.n_uncertain =
		m.n_count = n;
	m.elapsed = c.elapsed;
	m.thread = c.thread;
	m.cpu = c.cpu;
	m.stack = c.stack;
	m.event = c.event;
	m.weight = c.weight;
	m.late = c.late;
	m.cut = c.cut;
	m.uncertain = c.uncertain;
	m.count = c.count;
	put(f, CAP__FRAME__WHAT_SAMPLES, &m);
	for (void **p = (void *[]){ c.thread, c.cpu, c.stack, c.event, c.weight, c.late, c.count, c.elapsed, c.cut, c.uncertain, NULL };
	     *p; p++)
		g_free(*p);
}

static void take_functions(void *data, const Cap__Frame *frame)
{
	if (frame->what_case == CAP__FRAME__WHAT_FUNCTIONS)
		take(data, frame);
}

static void put_names(struct filling *f, struct store *s, const struct store_epoch *e)
{
	void (*take_names)(void *data, const Cap__Frame *frame) = f->how & STORE_BY_FUNCTION ? take_functions : take;

	for (guint i = 0; i < e->images->len; i++) {
		GBytes *names = store_names(s, &g_array_index(e->images, struct store_image, i));

		if (names && name_frames_each(names, i, take_names, f))
			f->failed = 1;
		g_clear_pointer(&names, g_bytes_unref);
	}
}

static void add_bounds(void *bounds, const Cap__Frame *frame)
{
	const Cap__Functions *f = frame->functions;

	if (frame->what_case != CAP__FRAME__WHAT_FUNCTIONS || f->n_start != f->n_size)
		return;
	g_array_append_vals(bounds, f->start, (guint)f->n_start);
	for (size_t i = 0; i < f->n_start; i++) {
		guint64 end = f->start[i] + f->size[i];

		g_array_append_val((GArray *)bounds, end);
	}
}

static gint by_number(gconstpointer a, gconstpointer b)
{
	const guint64 *n = a, *m = b;

	return (*n > *m) - (*n < *m);
}

/* Where functions begin and end: what is between two bounds is in the same function, or in none. */
static GArray *bounds_of(GBytes *names)
{
	GArray *bounds = g_array_new(FALSE, FALSE, sizeof(guint64));

	name_frames_each(names, 0, add_bounds, bounds);
	g_array_sort(bounds, by_number);
	return bounds;
}

static void put_books(struct filling *f, const struct store_epoch *e)
{
	Cap__Books m = CAP__BOOKS__INIT;

	m.end_ns = (guint64)(e->end - e->start);
	m.expected = e->books.expected;
	m.received = e->books.received;
	m.lost = e->books.lost;
	m.idle = e->books.idle;
	m.asleep = e->books.asleep;
	m.throttled = e->books.throttled;
	m.own_cpu_ns = e->books.own_cpu;
	m.skips_unknown = (uint32_t)e->books.unknown;
	m.paused_ns = (guint64)(e->end - e->start) > e->covered
			      ? (guint64)(e->end - e->start) - e->covered
			      : 0;
	put(f, CAP__FRAME__WHAT_BOOKS, &m);
}

static void take_spans(struct profile *p, const struct store_epoch *e)
{
	for (guint i = 0; i < e->spans->len; i++) {
		const struct store_span *span = &g_array_index(e->spans, struct store_span, i);
		struct profile_epoch epoch = { .start = (guint64)(span->start - e->start),
					       .end = (guint64)(span->end - e->start),
					       .lost = span->books.lost };

		g_array_append_val(p->epochs, epoch);
	}
}

static struct profile *profile_of(struct store *s, const struct store_epoch *e, enum store_how how)
{
	struct filling f = { profile_new(), how, 0 };
	struct numbers numbers = { 0 };

	put_header(&f, s, e);
	for (guint i = 0; i < f.p->events->len; i++)
		PROFILE_AT(f.p->events, event, i)->varied = !PROFILE_AT(f.p->events, event, i)->period;
	put_images(&f, e);
	put_units(&f, e);
	number_callers(&numbers, e);
	for (guint i = 0; i < e->rows->len; i++)
		if (((GArray *)g_ptr_array_index(e->rows, i))->len)
			put_rows(&f, e, i, &numbers);
	pair_ids_clear(&numbers.places);
	pair_ids_clear(&numbers.nodes);
	g_free(numbers.callers);
	if (!(how & STORE_BY_IMAGE))
		put_names(&f, s, e);
	put_books(&f, e);
	if (f.failed) {
		profile_free(f.p);
		return NULL;
	}
	for (guint i = 0; i < f.p->images->len; i++)
		profile_sort_image(PROFILE_AT(f.p->images, image, i));
	profile_bind(f.p);
	if (how & STORE_BY_EPOCH)
		take_spans(f.p, e);
	return f.p;
}

enum store_how db_how(const char *by)
{
	unsigned uses = keys_use(by);

	return (uses & KEY_EPOCH ? STORE_BY_EPOCH : STORE_SUM) |
	       (uses & KEY_PLACE ? STORE_SUM : uses & KEY_FUNCTION ? STORE_BY_FUNCTION : STORE_BY_IMAGE);
}

struct profile *db_read(const char *path, gint64 since, gint64 until, enum store_how how, GError **error)
{
	struct store *s = store_open_read(path, error);
	struct store_epoch *e;
	struct profile *p = NULL;

	if (!s)
		return NULL;
	e = store_get(s, since, until, how, bounds_of, error);
	if (e && !e->spans->len)
		g_set_error(error, FAILURE_ERROR, FAILURE_CAPTURE_LACKS,
			    "'%s': nothing was sampled in that time", path);
	else if (e && !(p = profile_of(s, e, how)))
		g_set_error(error, FAILURE_ERROR, FAILURE_CAPTURE_CORRUPT,
			    "'%s': the store contradicts itself", path);
	if (p)
		p->path = g_strdup(path);
	if (e)
		store_epoch_free(e);
	store_close(s);
	return p;
}
