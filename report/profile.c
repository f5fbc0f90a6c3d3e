/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profile.c - see profile.h. Frames come from an untrusted file: each id and each column is checked
 * here, so that no other code has to.
 */
#include "report/profile.h"

#include "lib/failure_error.h"
#include "lib/sorted.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define ITEMS_MAX	(1u << 28)	/* of one kind */

static int wrong(GError **error, const char *what)
{
	g_set_error(error, FAILURE_ERROR, FAILURE_CAPTURE_CORRUPT,
		    "corrupt capture: %s", what);
	return -1;
}

/* ASCII that is printed as it is, as most names are. */
static int is_plain(const char *s)
{
	while (*s >= ' ' && *s < 0x7f)
		s++;
	return !*s;
}

/*
 * Names come from programs, and go to terminals, XML and lines of text: converts them to valid
 * UTF-8, and control characters to "\\ooo", three octal digits a byte, so that none controls a
 * terminal or ends a line.
 */
static char *text(const char *s)
{
	char *valid;
	GString *shown;

	if (!s || is_plain(s))
		return g_strdup(s ? s : "");
	valid = g_utf8_make_valid(s, -1);
	shown = g_string_new(NULL);
	for (const char *p = valid; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);

		if (c > 0x7f && g_unichar_isspace(c))		/* some of them break lines */
			c = ' ';
		if (c > 0x7f && g_unichar_iscntrl(c))		/* C1: two bytes */
			g_string_append_printf(shown, "\\302\\%03o", c);
		else if (g_unichar_iscntrl(c))
			g_string_append_printf(shown, "\\%03o", c);
		else
			g_string_append_unichar(shown, c == 0xfffe || c == 0xffff ? 0xfffd : c);
	}
	g_free(valid);
	return g_string_free(shown, FALSE);
}

static int take_header(struct profile *p, const Cap__Header *h, GError **error)
{
	if (h->version != CAPTURE_VERSION) {
		g_set_error(
			error, FAILURE_ERROR, FAILURE_CAPTURE_OTHER,
			"the capture has format version %u, this program reads %u: read it with the "
			"program that wrote it (%s)",
			h->version, CAPTURE_VERSION, h->program);
		return -1;
	}
	if (p->machine)
		return wrong(error, "it has two headers");
	p->machine = text(h->machine);
	p->kernel = text(h->kernel);
	p->host = text(h->host);
	p->boot = text(h->boot);
	p->command = text(h->command);
	p->program = text(h->program);
	p->start = h->start_ns;
	p->wall = h->wall_ns;
	p->cpus = h->cpus;
	p->system_wide = h->system_wide;
	for (size_t i = 0; i < h->n_events; i++) {
		struct profile_event e = { .name = text(h->events[i]->name),
					   .period = h->events[i]->period,
					   .nanoseconds = h->events[i]->unit ==
							  CAP__EVENT__UNIT__NANOSECONDS,
					   .blocked = h->events[i]->blocked };

		g_array_append_val(p->events, e);
	}
	return 0;
}

static int take_image(struct profile *p, const Cap__Image *m)
{
	struct profile_image image = {
		.kind = (guint)m->kind > IMAGE_UNKNOWN ? IMAGE_UNKNOWN : (enum image_kind)m->kind,
		.path = text(m->path),
		.build_id = g_memdup2(m->build_id.data, m->build_id.len),
		.build_id_size = m->build_id.len,
		.functions = g_array_new(FALSE, FALSE, sizeof(struct profile_function)),
		.lines = g_array_new(FALSE, FALSE, sizeof(struct profile_line)),
		.code = g_array_new(FALSE, FALSE, sizeof(struct profile_code)),
		.names = g_string_chunk_new(4096),
	};

	g_array_append_val(p->images, image);
	return 0;
}

static int take_process(struct profile *p, const Cap__Process *m)
{
	struct profile_process process = {
		.pid = m->pid, .name = text(m->name), .cgroup = text(m->cgroup),
		.start = m->start_ns, .phase = PROFILE_NONE
	};

	g_array_append_val(p->processes, process);
	return 0;
}

static int take_thread(struct profile *p, const Cap__Thread *m, GError **error)
{
	struct profile_thread thread = { .process = m->process,
					 .tid = m->tid,
					 .name = text(m->name) };

	g_array_append_val(p->threads, thread);
	return m->process < p->processes->len ? 0 : wrong(error, "a thread of no process");
}

static int take_places(struct profile *p, const Cap__Places *m, GError **error)
{
	if (m->n_image != m->n_offset || p->places->len + m->n_image > ITEMS_MAX)
		return wrong(error, "columns of places differ in length");
	for (size_t i = 0; i < m->n_image; i++) {
		struct profile_place place = { .image = m->image[i],
					       .offset = m->offset[i],
					       .function = PROFILE_NONE };

		if (place.image >= p->images->len)
			return wrong(error, "a place in no image");
		g_array_append_val(p->places, place);
	}
	return 0;
}

static int take_stacks(struct profile *p, const Cap__Stacks *m, GError **error)
{
	if (m->n_parent != m->n_place || p->nodes->len + m->n_parent > ITEMS_MAX)
		return wrong(error, "columns of stacks differ in length");
	for (size_t i = 0; i < m->n_parent; i++) {
		struct profile_node node = { .parent = m->parent[i] - 1,
					     .place = m->place[i],
					     .depth = 1 };

		if (node.place >= p->places->len || m->parent[i] > p->nodes->len)
			return wrong(error, "a stack of nothing");
		if (m->parent[i])
			node.depth += PROFILE_AT(p->nodes, node, node.parent)->depth;
		g_array_append_val(p->nodes, node);
	}
	return 0;
}

static int samples_wrong(const struct profile *p, const Cap__Samples *m)
{
	size_t n = m->n_elapsed;

	return m->n_thread != n || m->n_cpu != n || m->n_stack != n || m->n_event != n ||
	       m->n_weight != n || m->n_late != n || m->n_cut != n ||
	       (m->n_uncertain && m->n_uncertain != n) || (m->n_count && m->n_count != n) ||
	       p->samples->len + n > ITEMS_MAX;
}

static int take_samples(struct profile *p, const Cap__Samples *m, GError **error)
{
	guint64 time = m->time_ns;

	if (samples_wrong(p, m))
		return wrong(error, "columns of samples differ in length");
	for (size_t i = 0; i < m->n_elapsed; i++) {
		struct profile_sample s = {
			.time = time += (guint64)m->elapsed[i],
			.weight = m->weight[i],
			.count = m->n_count ? m->count[i] : 1,
			.late = m->late[i],
			.thread = m->thread[i],
			.cpu = m->cpu[i],
			.event = m->event[i],
			.node = m->stack[i] - 1,
			.cut = m->cut[i],
			.uncertain = m->n_uncertain && m->uncertain[i],
		};

		if (s.thread >= p->threads->len || s.event >= p->events->len ||
		    m->stack[i] > p->nodes->len)
			return wrong(error, "a sample of nobody");
		s.phase = PROFILE_AT(p->processes, process,
				     PROFILE_AT(p->threads, thread, s.thread)->process)
				  ->phase;
		p->sampled += s.count;
		p->uncertain += s.uncertain ? s.count : 0;
		g_array_append_val(p->samples, s);
	}
	return 0;
}

static struct profile_image *image_of(struct profile *p, guint32 id)
{
	return id < p->images->len ? PROFILE_AT(p->images, image, id) : NULL;
}

static int take_functions(struct profile *p, const Cap__Functions *m, GError **error)
{
	struct profile_image *image = image_of(p, m->image);

	if (!image || m->n_start != m->n_size || m->n_start != m->n_name)
		return wrong(error, "functions of no image");
	for (size_t i = 0; i < m->n_start; i++) {
		struct profile_function f = { m->start[i], m->size[i], text(m->name[i]) };

		g_array_append_val(image->functions, f);
	}
	return 0;
}

static int take_lines(struct profile *p, const Cap__Lines *m, GError **error)
{
	struct profile_image *image = image_of(p, m->image);
	size_t n = m->n_offset;

	if (!image || m->n_file_of != n || m->n_line != n || m->n_function != n)
		return wrong(error, "lines of no image");
	for (size_t i = 0; i < n; i++) {
		struct profile_line line = { .offset = m->offset[i], .line = m->line[i] };
		char *file;

		if (m->file_of[i] >= m->n_file)
			return wrong(error, "a line of no file");
		file = text(m->file[m->file_of[i]]);
		line.file = g_string_chunk_insert_const(image->names, file);
		g_free(file);
		line.function = text(m->function[i]);
		g_array_append_val(image->lines, line);
	}
	return 0;
}

static int take_code(struct profile *p, const Cap__Code *m, GError **error)
{
	struct profile_image *image = image_of(p, m->image);
	struct profile_code code = { m->offset, m->address, NULL, m->bytes.len };

	if (!image)
		return wrong(error, "code of no image");
	code.bytes = g_memdup2(m->bytes.data, m->bytes.len);
	g_array_append_val(image->code, code);
	return 0;
}

static int take_phase(struct profile *p, const Cap__Phase *m, GError **error)
{
	struct profile_phase phase = { NULL, m->time_ns, m->process };
	struct profile_process *process;

	if (m->process >= p->processes->len)
		return wrong(error, "a phase of no process");
	process = PROFILE_AT(p->processes, process, m->process);
	process->phase = PROFILE_NONE;
	if (!m->name || !*m->name)
		return 0;
	process->phase = p->phases->len;
	phase.name = text(m->name);
	g_array_append_val(p->phases, phase);
	return 0;
}

static int take_wall(struct profile *p, const Cap__Wall *m, GError **error)
{
	struct profile_thread *thread;

	if (m->thread >= p->threads->len)
		return wrong(error, "time of no thread");
	thread = PROFILE_AT(p->threads, thread, m->thread);
	thread->on = m->on_ns;
	thread->off = m->off_ns;
	return 0;
}

static int arcs_are_whole(const Cap__Arcs *m)
{
	size_t n = m->n_caller, functions = m->n_function, counts = n * m->n_event;

	return m->n_image == functions && m->n_inclusive_ns == functions && m->n_callee == n &&
	       m->n_calls == n && m->n_self_ns == n && m->n_total_ns == n &&
	       m->n_self_count == counts && m->n_total_count == counts &&
	       m->n_event_spread == m->n_event;
}

/* Adds the counts; 0: their events differ from those of the capture's previous tables. */
static int take_counts(struct profile *p, const Cap__Arcs *m)
{
	GStrvBuilder *names = g_strv_builder_new();
	char **counted;
	int same;

	for (size_t i = 0; i < m->n_event; i++) {
		char *name = text(m->event[i]);

		g_strv_builder_add(names, name);
		g_free(name);
	}
	counted = g_strv_builder_end(names);
	g_strv_builder_unref(names);
	same = !p->counted ||
	       g_strv_equal((const char *const *)p->counted, (const char *const *)counted);
	g_strfreev(p->counted);
	p->counted = counted;
	g_free(p->counted_spread);
	p->counted_spread =
		g_memdup2(m->event_spread, m->n_event_spread * sizeof(*m->event_spread));
	for (size_t i = 0; i < m->n_self_count; i++) {
		struct profile_count count = { m->self_count[i], m->total_count[i] };

		g_array_append_val(p->counts, count);
	}
	return same;
}

static int take_arcs(struct profile *p, const Cap__Arcs *m, GError **error)
{
	guint32 first = p->callees->len;
	size_t n = m->n_caller, functions = m->n_function;

	if (!arcs_are_whole(m))
		return wrong(error, "columns of calls differ in length");
	if (!take_counts(p, m))
		return wrong(error, "calls differ in the events that they count");
	for (size_t i = 0; i < functions; i++) {
		struct profile_callee callee = { text(m->function[i]), text(m->image[i]),
						 m->inclusive_ns[i] };

		g_array_append_val(p->callees, callee);
	}
	for (size_t i = 0; i < n; i++) {
		struct profile_arc arc = { m->caller[i] ? first + m->caller[i] - 1 : PROFILE_NONE,
					   first + m->callee[i] - 1, m->calls[i], m->self_ns[i],
					   m->total_ns[i] };

		if (m->caller[i] > functions || !m->callee[i] || m->callee[i] > functions)
			return wrong(error, "a call of nothing");
		g_array_append_val(p->arcs, arc);
	}
	p->calls_own += m->own_ns;
	p->calls_spread = MAX(p->calls_spread, m->spread_ns);
	p->calls_raw += m->raw_calls;
	p->calls_left += m->left_calls;
	p->calls_refused += m->refused;
	p->arcs_refused += m->refused_arcs;
	return 0;
}

static int take_columns(struct profile *p, const Cap__Columns *m, GError **error)
{
	struct profile_call call = { p->columns->len, (guint32)m->n_name };

	if (m->n_name != m->n_kind || call.first + m->n_name > ITEMS_MAX)
		return wrong(error, "columns of records differ in number");
	for (size_t i = 0; i < m->n_name; i++) {
		struct profile_column column = { .name = text(m->name[i]),
						 .kind = (guint)m->kind[i] > COLUMN_SOURCE
								 ? COLUMN_NUMBER
								 : (enum column_kind)m->kind[i] };

		g_array_append_val(p->columns, column);
	}
	g_array_append_val(p->calls, call);
	return 0;
}

static void take_texts(GPtrArray *list, char *const *texts, size_t n)
{
	for (size_t i = 0; i < n && list->len < ITEMS_MAX; i++)
		g_ptr_array_add(list, text(texts[i]));
}

static int value_wrong(const struct profile *p, const struct profile_column *column, gint64 value)
{
	switch (column->kind) {
	case COLUMN_NUMBER:	return 0;
	case COLUMN_TEXT:	return value < 0 || value >= p->texts->len;
	case COLUMN_STACK:	return value < 0 || value > p->nodes->len;
	default:		return value < 0 || value > p->places->len;
	}
}

static int take_record(struct profile *p, const Cap__Records *m, size_t i, guint64 time,
		       const struct profile_call *call, GError **error)
{
	struct profile_record r = { .time = time,
				    .call = m->columns,
				    .thread = m->thread[i],
				    .cpu = m->cpu[i],
				    .probe = m->probe[i],
				    .first = p->values->len };
	const gint64 *value = m->value + i * call->n;

	if (r.thread >= p->threads->len)
		return wrong(error, "a record of nobody");
	for (guint32 c = 0; c < call->n; c++)
		if (value_wrong(p, PROFILE_AT(p->columns, column, call->first + c), value[c]))
			return wrong(error, "a record refers to nothing");
	g_array_append_vals(p->values, value, call->n);
	g_array_append_val(p->records, r);
	return 0;
}

static int take_records(struct profile *p, const Cap__Records *m, GError **error)
{
	size_t n = m->n_elapsed;
	guint64 time = m->time_ns;
	struct profile_call call;

	if (m->columns >= p->calls->len)
		return wrong(error, "records without columns");
	call = *PROFILE_AT(p->calls, call, m->columns);
	if (m->n_thread != n || m->n_cpu != n || m->n_probe != n ||
	    m->n_value != n * call.n || p->records->len + n > ITEMS_MAX ||
	    p->values->len + m->n_value > ITEMS_MAX)
		return wrong(error, "columns of records differ in length");
	for (size_t i = 0; i < n; i++)
		if (take_record(p, m, i, time += (guint64)m->elapsed[i], &call, error))
			return -1;
	return 0;
}

static int take_lost(struct profile *p, const Cap__Lost *m)
{
	p->books.lost = m->lost;
	return 0;
}

static void clear_books(struct profile_books *books)
{
	g_free(books->partial);
	g_strfreev(books->warnings);
}

/* Untrusted texts; NULL: none. */
static char **texts_of(char *const *from, size_t n)
{
	char **all = n ? g_new0(char *, n + 1) : NULL;

	for (size_t i = 0; i < n; i++)
		all[i] = text(from[i]);
	return all;
}

static int take_books(struct profile *p, const Cap__Books *m)
{
	clear_books(&p->books);
	p->books = (struct profile_books){
		.complete = 1,
		.end = m->end_ns,
		.expected = m->expected,
		.received = m->received,
		.lost = m->lost,
		.idle = m->idle,
		.own = m->own,
		.own_cpu = m->own_cpu_ns,
		.throttled = m->throttled,
		.paused = m->paused_ns,
		.asleep = m->asleep,
		.unnamed = m->unnamed,
		.skips_unknown = m->skips_unknown,
		.records = m->records,
		.records_lost = m->records_lost,
		.missed = m->missed,
		.partial = *m->partial ? text(m->partial) : NULL,
		.warnings = texts_of(m->warnings, m->n_warnings),
	};
	return 0;
}

int profile_take(struct profile *p, const Cap__Frame *f, GError **error)
{
	if (!p->machine && f->what_case != CAP__FRAME__WHAT_HEADER)
		return wrong(error, "there is no header at its start");
	switch (f->what_case) {
	case CAP__FRAME__WHAT_HEADER:		return take_header(p, f->header, error);
	case CAP__FRAME__WHAT_IMAGE:		return take_image(p, f->image);
	case CAP__FRAME__WHAT_PROCESS:		return take_process(p, f->process);
	case CAP__FRAME__WHAT_THREAD:		return take_thread(p, f->thread, error);
	case CAP__FRAME__WHAT_PLACES:		return take_places(p, f->places, error);
	case CAP__FRAME__WHAT_STACKS:		return take_stacks(p, f->stacks, error);
	case CAP__FRAME__WHAT_SAMPLES:		return take_samples(p, f->samples, error);
	case CAP__FRAME__WHAT_FUNCTIONS:	return take_functions(p, f->functions, error);
	case CAP__FRAME__WHAT_LINES:		return take_lines(p, f->lines, error);
	case CAP__FRAME__WHAT_CODE:		return take_code(p, f->code, error);
	case CAP__FRAME__WHAT_PHASE:		return take_phase(p, f->phase, error);
	case CAP__FRAME__WHAT_WALL:		return take_wall(p, f->wall, error);
	case CAP__FRAME__WHAT_ARCS:		return take_arcs(p, f->arcs, error);
	case CAP__FRAME__WHAT_LOST:		return take_lost(p, f->lost);
	case CAP__FRAME__WHAT_BOOKS:		return take_books(p, f->books);
	case CAP__FRAME__WHAT_COLUMNS:		return take_columns(p, f->columns, error);
	case CAP__FRAME__WHAT_RECORDS:		return take_records(p, f->records, error);
	case CAP__FRAME__WHAT_TEXTS:
		take_texts(p->texts, f->texts->text, f->texts->n_text);
		return 0;
	case CAP__FRAME__WHAT_PROBES:
		take_texts(p->probes, f->probes->point, f->probes->n_point);
		return 0;
	default:				return 0;	/* from a newer writer */
	}
}

static int take(void *data, const Cap__Frame *frame, GError **error)
{
	return profile_take(data, frame, error);
}

/* ---- order and search -----------------------------------------------------------*/

static gint by_start(gconstpointer a, gconstpointer b)
{
	const struct profile_function *f = a, *g = b;

	return (f->start > g->start) - (f->start < g->start);
}

/* Rows with one offset keep their order: a chain of inlined calls. */
static gint by_offset(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct profile_line *l = a, *m = b;

	return (l->offset > m->offset) - (l->offset < m->offset);
}

static gint code_by_offset(gconstpointer a, gconstpointer b)
{
	const struct profile_code *c = a, *d = b;

	return (c->offset > d->offset) - (c->offset < d->offset);
}

void profile_sort_image(struct profile_image *image)
{
	g_array_sort(image->functions, by_start);
	if (image->lines->len)
		g_qsort_with_data(image->lines->data, (gint)image->lines->len,
				  sizeof(struct profile_line), by_offset, NULL);
	g_array_sort(image->code, code_by_offset);
}

void profile_bind(struct profile *p)
{
	for (guint i = 0; i < p->places->len; i++) {
		struct profile_place *place = PROFILE_AT(p->places, place, i);
		const GArray *functions = PROFILE_AT(p->images, image, place->image)->functions;
		guint n = sorted_until(functions, place->offset);
		const struct profile_function *last = n ? PROFILE_AT(functions, function, n - 1) : NULL;

		place->function = last && place->offset - last->start < last->size ? n - 1 : PROFILE_NONE;
	}
}

const struct profile_function *profile_function_of(const struct profile *p, guint32 place)
{
	const struct profile_place *at = PROFILE_AT(p->places, place, place);

	if (at->function == PROFILE_NONE)
		return NULL;
	return PROFILE_AT(PROFILE_AT(p->images, image, at->image)->functions, function,
			  at->function);
}

const struct profile_line *profile_lines_of(const struct profile *p, guint32 place, guint *n)
{
	const struct profile_place *at = PROFILE_AT(p->places, place, place);
	const GArray *lines = PROFILE_AT(p->images, image, at->image)->lines;
	guint end = sorted_until(lines, at->offset), first = at->offset ? sorted_until(lines, at->offset - 1) : 0;

	*n = end - first;
	return *n ? PROFILE_AT(lines, line, first) : NULL;
}

const struct profile_code *profile_code_of(const struct profile_image *image, guint64 offset)
{
	guint n = sorted_until(image->code, offset);
	const struct profile_code *code = n ? PROFILE_AT(image->code, code, n - 1) : NULL;

	return code && offset - code->offset < code->size ? code : NULL;
}

int profile_in_kernel(const struct profile *p, guint32 place)
{
	return PROFILE_AT(p->images, image, PROFILE_AT(p->places, place, place)->image)->kind ==
	       IMAGE_KERNEL;
}

int profile_is_idle(const struct profile *p, const struct profile_sample *s)
{
	return !PROFILE_AT(p->threads, thread, s->thread)->tid;
}

/* A stack of one function, in the image of that place, at an offset without function or line. */
static guint32 idle_stack(struct profile *p, const struct profile_place *somewhere)
{
	GArray *functions = PROFILE_AT(p->images, image, somewhere->image)->functions;
	const struct profile_function idle = { .start = G_MAXUINT64, .name = g_strdup("(idle)") };
	const struct profile_place place = { .image = somewhere->image,
					     .function = functions->len };
	const struct profile_node node = { PROFILE_NONE, p->places->len, 1 };

	g_array_append_val(functions, idle);
	g_array_append_val(p->places, place);
	g_array_append_val(p->nodes, node);
	return p->nodes->len - 1;
}

void profile_name_idle(struct profile *p)
{
	guint32 node = PROFILE_NONE;

	for (guint i = 0; i < p->samples->len; i++) {
		struct profile_sample *s = PROFILE_AT(p->samples, sample, i);

		if (!profile_is_idle(p, s) || s->node == PROFILE_NONE)
			continue;
		if (node == PROFILE_NONE)
			node = idle_stack(p,
					  PROFILE_AT(p->places, place,
						     PROFILE_AT(p->nodes, node, s->node)->place));
		s->node = node;
	}
}

/* ---- whole ---------------------------------------------------------------------*/

struct profile *profile_new(void)
{
	struct profile *p = g_new0(struct profile, 1);

	p->events = g_array_new(FALSE, FALSE, sizeof(struct profile_event));
	p->images = g_array_new(FALSE, FALSE, sizeof(struct profile_image));
	p->processes = g_array_new(FALSE, FALSE, sizeof(struct profile_process));
	p->threads = g_array_new(FALSE, FALSE, sizeof(struct profile_thread));
	p->places = g_array_new(FALSE, FALSE, sizeof(struct profile_place));
	p->nodes = g_array_new(FALSE, FALSE, sizeof(struct profile_node));
	p->samples = g_array_new(FALSE, FALSE, sizeof(struct profile_sample));
	p->phases = g_array_new(FALSE, FALSE, sizeof(struct profile_phase));
	p->callees = g_array_new(FALSE, FALSE, sizeof(struct profile_callee));
	p->counts = g_array_new(FALSE, FALSE, sizeof(struct profile_count));
	p->columns = g_array_new(FALSE, FALSE, sizeof(struct profile_column));
	p->calls = g_array_new(FALSE, FALSE, sizeof(struct profile_call));
	p->records = g_array_new(FALSE, FALSE, sizeof(struct profile_record));
	p->values = g_array_new(FALSE, FALSE, sizeof(gint64));
	p->texts = g_ptr_array_new_with_free_func(g_free);
	p->probes = g_ptr_array_new_with_free_func(g_free);
	p->epochs = g_array_new(FALSE, FALSE, sizeof(struct profile_epoch));
	p->arcs = g_array_new(FALSE, FALSE, sizeof(struct profile_arc));
	return p;
}

struct profile *profile_parse(const guint8 *bytes, gsize size, GError **error)
{
	struct profile *p = profile_new();
	struct capture_end end;
	int rc;

	rc = capture_parse(bytes, size, take, p, &end, error);
	if (!rc && !p->machine) {
		g_set_error(error, FAILURE_ERROR, FAILURE_CAPTURE_CORRUPT,
			    "the capture holds nothing%s%s", end.damage ? ": " : "",
			    end.damage ? end.damage : "");
		rc = -1;
	}
	p->damage = end.damage;
	if (rc) {
		profile_free(p);
		return NULL;
	}
	if (!p->damage && !p->books.complete)
		p->damage = g_strdup("the recording was cut off");
	for (guint i = 0; i < p->images->len; i++)
		profile_sort_image(PROFILE_AT(p->images, image, i));
	profile_bind(p);
	return p;
}

struct profile *profile_read(const char *path, GError **error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	GMappedFile *map = fd < 0 ? NULL : g_mapped_file_new_from_fd(fd, FALSE, NULL);
	struct profile *p = NULL;
	char *bytes;
	gsize size;

	if (fd < 0) {
		g_set_error_literal(error, FAILURE_ERROR, FAILURE_FILE_READ, g_strerror(errno));
	} else if (map) {
		p = profile_parse((const guint8 *)g_mapped_file_get_contents(map),
				  g_mapped_file_get_length(map), error);
		g_mapped_file_unref(map);
	} else if (g_file_get_contents(path, &bytes, &size, error)) {	/* a pipe, which cannot
									 * be mapped */
		p = profile_parse((const guint8 *)bytes, size, error);
		g_free(bytes);
	}
	if (fd >= 0)
		close(fd);
	if (p)
		p->path = g_strdup(path);
	else
		g_prefix_error(error, "'%s': ", path);
	return p;
}

guint64 profile_end(const struct profile *p)
{
	guint64 end = MAX(p->start, p->books.end);

	if (p->books.complete)
		return end;
	for (guint i = 0; i < p->samples->len; i++)
		end = MAX(end, PROFILE_AT(p->samples, sample, i)->time);
	for (guint i = 0; i < p->records->len; i++)
		end = MAX(end, PROFILE_AT(p->records, record, i)->time);
	return end;
}

static void free_image(struct profile_image *image)
{
	for (guint i = 0; i < image->functions->len; i++)
		g_free(PROFILE_AT(image->functions, function, i)->name);
	for (guint i = 0; i < image->lines->len; i++)
		g_free(PROFILE_AT(image->lines, line, i)->function);
	for (guint i = 0; i < image->code->len; i++)
		g_free(PROFILE_AT(image->code, code, i)->bytes);
	g_array_free(image->functions, TRUE);
	g_array_free(image->lines, TRUE);
	g_array_free(image->code, TRUE);
	g_string_chunk_free(image->names);
	g_free(image->build_id);
	g_free(image->path);
}

void profile_free(struct profile *p)
{
	for (guint i = 0; i < p->images->len; i++)
		free_image(PROFILE_AT(p->images, image, i));
	for (guint i = 0; i < p->events->len; i++)
		g_free(PROFILE_AT(p->events, event, i)->name);
	for (guint i = 0; i < p->processes->len; i++) {
		g_free(PROFILE_AT(p->processes, process, i)->name);
		g_free(PROFILE_AT(p->processes, process, i)->cgroup);
	}
	for (guint i = 0; i < p->threads->len; i++)
		g_free(PROFILE_AT(p->threads, thread, i)->name);
	for (guint i = 0; i < p->phases->len; i++)
		g_free(PROFILE_AT(p->phases, phase, i)->name);
	for (guint i = 0; i < p->callees->len; i++) {
		g_free(PROFILE_AT(p->callees, callee, i)->name);
		g_free(PROFILE_AT(p->callees, callee, i)->image);
	}
	for (guint i = 0; i < p->columns->len; i++)
		g_free(PROFILE_AT(p->columns, column, i)->name);
	for (GArray **a = &p->events; a <= &p->arcs; a++)
		g_array_free(*a, TRUE);
	g_ptr_array_unref(p->texts);
	g_ptr_array_unref(p->probes);
	g_free(p->path);
	g_free(p->machine);
	g_free(p->kernel);
	g_free(p->boot);
	g_free(p->host);
	g_free(p->command);
	g_free(p->program);
	g_free(p->damage);
	clear_books(&p->books);
	g_strfreev(p->counted);
	g_free(p->counted_spread);
	g_free(p);
}
