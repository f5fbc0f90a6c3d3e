/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keeper.c - see keeper.h. */
#include "watch/keeper.h"

#include "lib/failure_error.h"
#include "lib/sorted.h"
#include "record/naming.h"
#include "record/stacks.h"
#include "report/name_frames.h"
#include "watch/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#define WAITING_MAX	6		/* epochs; beyond that the two oldest become one */
#define LOCK_TRIES	50
#define LOCK_US		100000
#define CODE_MAX	(64u << 10)	/* bytes of a function that are kept */
#define CODE_SAMPLES	32		/* so many of a function in an epoch: its code is kept */

static const char who[] = "lapwing watch";
static char *path;
static guint64 most;
static GPtrArray *waiting;		/* struct store_epoch, oldest first */
static pid_t writer;			/* 0: none */
static guint given;			/* how many of the waiting it writes */

/* ---- names -----------------------------------------------------------------------*/

struct range { guint64 start, end; };

/* What is known of an image: functions, code, and offsets with source lines. */
struct known {
	GArray		*functions, *code;	/* struct range */
	GHashTable	*lines;			/* guint64 offsets; empty: the image has none */
	GArray		*sums;			/* struct running_sum, by offset: samples of the epoch */
	GByteArray	*new;			/* frames */
	const char	*path;
	guint64		base;			/* what frames of new names have more than offsets in the store */
};

static void take_known(void *data, const Cap__Frame *frame)
{
	struct known *k = data;

	if (frame->what_case == CAP__FRAME__WHAT_FUNCTIONS)
		for (size_t i = 0; i < frame->functions->n_start && i < frame->functions->n_size; i++) {
			struct range r = { frame->functions->start[i],
					   frame->functions->start[i] + frame->functions->size[i] };

			g_array_append_val(k->functions, r);
		}
	if (frame->what_case == CAP__FRAME__WHAT_LINES)
		for (size_t i = 0; i < frame->lines->n_offset; i++)
			g_hash_table_add(k->lines, g_memdup2(&frame->lines->offset[i], sizeof(guint64)));
	if (frame->what_case == CAP__FRAME__WHAT_CODE) {
		struct range r = { frame->code->offset, frame->code->offset + frame->code->bytes.len };

		g_array_append_val(k->code, r);
	}
}

static gint by_start(gconstpointer a, gconstpointer b)
{
	const struct range *r = a, *q = b;

	return (r->start > q->start) - (r->start < q->start);
}

/* The range that holds an offset, or NULL. */
static const struct range *range_of(const GArray *ranges, guint64 offset)
{
	guint n = sorted_until(ranges, offset);
	const struct range *last = n ? &g_array_index(ranges, struct range, n - 1) : NULL;

	return last && offset < last->end ? last : NULL;
}

/* So many samples are at smaller offsets. */
struct running_sum { guint64 offset, before; };

static gint by_offset(gconstpointer a, gconstpointer b)
{
	const struct running_sum *h = a, *g = b;

	return (h->offset > g->offset) - (h->offset < g->offset);
}

/* rows: struct segment_row. Ends with the sum of all. */
static GArray *running_sums(const GArray *rows)
{
	GArray *sums = g_array_sized_new(FALSE, FALSE, sizeof(struct running_sum), rows->len + 1);
	struct running_sum sum = { G_MAXUINT64, 0 };

	for (guint i = 0; i < rows->len; i++) {
		const struct segment_row *row = &g_array_index(rows, struct segment_row, i);
		struct running_sum h = { row->offset, row->count };

		g_array_append_val(sums, h);
	}
	g_array_sort(sums, by_offset);
	for (guint i = 0; i < sums->len; i++) {
		guint64 *before = &g_array_index(sums, struct running_sum, i).before, count = *before;

		*before = sum.before;
		sum.before += count;
	}
	g_array_append_val(sums, sum);
	return sums;
}

static guint64 samples_before(const GArray *sums, guint64 offset)
{
	guint n = offset ? sorted_until(sums, offset - 1) : 0;

	return g_array_index(sums, struct running_sum, n).before;
}

/* Its code is worth the room. */
static int is_hot(const struct known *k, guint64 start, guint64 end)
{
	return end - start <= CODE_MAX && samples_before(k->sums, end) - samples_before(k->sums, start) >= CODE_SAMPLES;
}

static int is_known(const struct known *k, guint64 offset)
{
	const struct range *function = range_of(k->functions, offset);

	return function && (!g_hash_table_size(k->lines) || g_hash_table_contains(k->lines, &offset)) &&
	       (range_of(k->code, offset) || !is_hot(k, function->start, function->end));
}

/* Whether the kernel's table, which is that of now, has a function in that image: its name ends with the module's. */
static int is_in(const char *image, const char *function)
{
	return strcmp(image, "[kernel]") ? g_str_has_suffix(function, image) : !g_str_has_suffix(function, "]");
}

/* From addresses of the kernel to offsets in an image. */
static void functions_to_offsets(const struct known *k, Cap__Functions *m)
{
	for (size_t i = 0; i < m->n_start; i++) {
		size_t last = m->n_start - 1;

		m->start[i] -= k->base;
		if (is_in(k->path, m->name[i]))
			continue;
		m->start[i] = m->start[last];
		m->size[i] = m->size[last];
		m->name[i--] = m->name[last];
		m->n_start = m->n_size = m->n_name = last;
	}
}

static void to_offsets(const struct known *k, const Cap__Frame *frame)
{
	if (frame->what_case == CAP__FRAME__WHAT_FUNCTIONS)
		functions_to_offsets(k, frame->functions);
	if (frame->what_case == CAP__FRAME__WHAT_CODE) {
		frame->code->offset -= k->base;
		frame->code->address -= k->base;
	}
}

static void take_new(void *data, const Cap__Frame *frame)
{
	struct known *k = data;

	if (k->base)
		to_offsets(k, frame);
	if (frame->what_case != CAP__FRAME__WHAT_CODE ||
	    is_hot(k, frame->code->offset, frame->code->offset + frame->code->bytes.len))
		name_frames_add(k->new, frame);
}

/* Those of an image's offsets (of stacks.h, sorted) that the store has not everything of. */
static GArray *unknown_offsets(struct store *s, guint i, const struct store_image *image, const GArray *all,
			       struct known *k)
{
	GArray *new = g_array_new(FALSE, FALSE, sizeof(guint64));
	GBytes *names = store_names(s, image);

	if (names)
		name_frames_each(names, i, take_known, k);
	g_array_sort(k->functions, by_start);
	g_array_sort(k->code, by_start);
	for (guint n = 0; n < all->len; n++)
		if (!is_known(k, g_array_index(all, guint64, n) - k->base))
			g_array_append_val(new, g_array_index(all, guint64, n));
	g_clear_pointer(&names, g_bytes_unref);
	return new;
}

/* What stands for callers that are missing is a function in an image of its own: stacks.c. */
static void add_stand_in(struct known *k, char *name)
{
	uint64_t start = 0, size = 1;
	Cap__Functions m = CAP__FUNCTIONS__INIT;
	Cap__Frame frame = CAP__FRAME__INIT;

	m.n_start = m.n_size = m.n_name = 1;
	m.start = &start;
	m.size = &size;
	m.name = &name;
	frame.what_case = CAP__FRAME__WHAT_FUNCTIONS;
	frame.functions = &m;
	name_frames_add(k->new, &frame);
}

/* An image of the store: its offsets in image i of stacks.h (sorted), where they begin there, and its rows of the epoch. */
struct part {
	struct store_image image;
	guint		i;
	GArray		*offsets;
	guint64		base;
	const GArray	*rows;
};

/* What is not known of an image, looked up: frames, or NULL: nothing. Caller unrefs. */
static GBytes *new_names(struct store *s, const struct part *of)
{
	struct known k = { .functions = g_array_new(FALSE, FALSE, sizeof(struct range)),
			   .code = g_array_new(FALSE, FALSE, sizeof(struct range)),
			   .lines = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL),
			   .sums = running_sums(of->rows),
			   .new = g_byte_array_new(),
			   .path = of->image.path,
			   .base = of->base };
	GArray *offsets = unknown_offsets(s, of->i, &of->image, of->offsets, &k);
	GBytes *names = NULL;

	if (offsets->len && of->image.kind == CAP__IMAGE__KIND__UNKNOWN && *of->image.path == '(')
		add_stand_in(&k, of->image.path);
	else if (offsets->len && of->image.kind != CAP__IMAGE__KIND__UNKNOWN)
		naming_image(of->i, offsets, take_new, &k);
	if (k.new->len)
		names = g_byte_array_free_to_bytes(k.new);
	else
		g_byte_array_unref(k.new);
	g_array_unref(offsets);
	g_array_unref(k.functions);
	g_array_unref(k.code);
	g_hash_table_unref(k.lines);
	g_array_unref(k.sums);
	return names;
}

struct new_names { GArray *images; GPtrArray *names; };

static void add_names(struct new_names *to, struct store *s, struct store_epoch *e, struct part *of)
{
	GBytes *names;

	of->rows = g_ptr_array_index(e->rows, store_epoch_image(e, &of->image));	/* may be new: of callers alone */
	names = new_names(s, of);
	if (names) {
		g_array_append_val(to->images, of->image);
		g_ptr_array_add(to->names, names);
	}
}

/* Image i of stacks.h: the kernel is several in the store, one after the other. */
static void add_names_of(struct new_names *to, struct store *s, struct store_epoch *e, guint i)
{
	GArray *all = stacks_offsets(i);
	struct part of = { .i = i, .offsets = g_array_new(FALSE, FALSE, sizeof(guint64)) };

	for (guint n = 0; n < all->len; n++) {
		guint64 offset = g_array_index(all, guint64, n), base;
		struct store_image image = snapshot_image(i, offset, &base);

		if (of.offsets->len && image.path != of.image.path) {
			add_names(to, s, e, &of);
			g_array_set_size(of.offsets, 0);
		}
		of.image = image;
		of.base = base;
		g_array_append_val(of.offsets, offset);
	}
	if (of.offsets->len)
		add_names(to, s, e, &of);
	g_array_unref(of.offsets);
	g_array_unref(all);
}

/* The names of the newest epoch, whose images are those of stacks.h. */
static int put_all_names(struct store *s, struct store_epoch *e, GError **error)
{
	struct new_names to = { g_array_new(FALSE, FALSE, sizeof(struct store_image)),
				g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref) };
	int rc;

	for (guint i = 0; i < stacks_images(); i++)
		add_names_of(&to, s, e, i);
	rc = store_add_names(s, (const struct store_image *)(const void *)to.images->data,
			     (GBytes *const *)to.names->pdata, to.names->len, error);
	g_ptr_array_unref(to.names);
	g_array_unref(to.images);
	return rc;
}

/* ---- the writer ------------------------------------------------------------------*/

static int put_about(struct store *s, GError **error)
{
	struct utsname name;
	char *cpus = g_strdup_printf("%ld", sysconf(_SC_NPROCESSORS_CONF)),
	     *limit = g_strdup_printf("%" G_GUINT64_FORMAT, most);
	int rc;

	uname(&name);
	rc = store_put_about(s, "host", name.nodename, error) ||
			     store_put_about(s, "machine", name.machine, error) ||
			     store_put_about(s, "kernel", name.release, error) ||
			     store_put_about(s, "cpus", cpus, error) ||
			     store_put_about(s, STORE_ABOUT_LIMIT, limit, error)
		     ? -1
		     : 0;
	g_free(cpus);
	g_free(limit);
	return rc;
}

static int write_all(GError **error)
{
	struct store *s = store_open(path, most, error);
	int rc = s ? put_about(s, error) : -1;
	GError *of_names = NULL;

	for (guint i = 0; i < given && !rc; i++)
		rc = store_put(s, g_ptr_array_index(waiting, i), error);
	/* the counts are there: what is missing of names is looked for again */
	if (!rc && put_all_names(s, g_ptr_array_index(waiting, given - 1), &of_names))
		failure_report(who, of_names);
	if (!rc)
		store_compact(s, g_get_real_time() * 1000, error);
	if (s)
		store_close(s);
	return rc;
}

static void start(void)
{
	GError *error = NULL;
	pid_t pid;
	int rc;

	given = waiting->len;
	pid = fork();
	if (pid) {				/* -1: the next epoch tries it again */
		writer = MAX(pid, 0);
		return;
	}
	signal(SIGINT, SIG_IGN);		/* Ctrl-C is for the recorder, which waits */
	signal(SIGTERM, SIG_IGN);
	rc = write_all(&error);
	if (rc && error)
		g_prefix_error(&error, "what was counted stays in memory until the next epoch: ");
	if (error)
		failure_report(who, error);
	_exit(rc ? EXIT_FAILURE : EXIT_SUCCESS);
}

/* ---- the recorder's side -----------------------------------------------------------*/

static void free_epoch(void *e)
{
	store_epoch_free(e);
}

/*
 * Until this process and its writer end; the writer of a recorder that was killed has a while to end.
 * 0, or -1 with *error set.
 */
static int lock(const char *file, GError **error)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);

	for (int i = 0; fd >= 0 && i < LOCK_TRIES; i++) {
		if (!flock(fd, LOCK_EX | LOCK_NB))
			return 0;
		g_usleep(LOCK_US);
	}
	g_set_error(error, FAILURE_ERROR, FAILURE_FILE_WRITE, "'%s': %s", file,
		    errno == EWOULDBLOCK ? "another lapwing watch writes to it" : g_strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

int keeper_open(const char *file, guint64 bytes, GError **error)
{
	struct store *s = store_open(file, bytes, error);

	if (!s)
		return -1;
	store_close(s);
	if (lock(file, error))
		return -1;
	path = g_strdup(file);
	most = bytes;
	waiting = g_ptr_array_new_with_free_func(free_epoch);
	return 0;
}

static void take_result(int status)
{
	writer = 0;
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		g_ptr_array_remove_range(waiting, 0, given);
	else if (WIFSIGNALED(status))
		g_printerr("%s: the process that writes to '%s' was ended by signal %d; what was counted stays in memory"
			   " until the next epoch\n", who, path, WTERMSIG(status));
	given = 0;
}

void keeper_look(void)
{
	int status;

	if (writer && waitpid(writer, &status, WNOHANG) == writer)
		take_result(status);
}

void keeper_give(struct store_epoch *e)
{
	g_ptr_array_add(waiting, e);
	keeper_look();
	if (!writer)
		start();
	while (!writer && waiting->len > WAITING_MAX)
		store_epoch_join(g_ptr_array_index(waiting, 0), g_ptr_array_steal_index(waiting, 1));
}

guint keeper_close(void)
{
	int status;

	if (writer && waitpid(writer, &status, 0) == writer)
		take_result(status);
	if (waiting->len)
		start();
	if (writer && waitpid(writer, &status, 0) == writer)
		take_result(status);
	return waiting->len;
}
