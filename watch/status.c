/* SPDX-License-Identifier: GPL-2.0-or-later */
/* status.c - see status.h. */
#include "watch/status.h"

#include "lib/failure_error.h"
#include "report/db.h"
#include "report/heading.h"
#include "report/key.h"
#include "report/tally.h"
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#define IMAGES	10		/* with samples in unknown functions are shown */

struct status {
	const char	*path;
	guint64		bytes, most;		/* most 0: unknown */
	int		is_written;		/* a recorder has it open */
	guint		epochs;
	const struct profile *p;
	GArray		*unknown;		/* struct unknown, most samples first */
	guint64		nowhere, busy;		/* samples in unknown functions; all that are not idle */
};

/* Samples of an image that are in no function whose name is known. */
struct unknown { const char *image; guint64 samples; };

/* A recorder has a lock on it (keeper.c). */
static int is_locked(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), locked;

	if (fd < 0)
		return 0;
	locked = flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;
	close(fd);
	return locked;
}

static gint by_samples(gconstpointer a, gconstpointer b)
{
	const struct unknown *u = a, *v = b;

	return (u->samples < v->samples) - (u->samples > v->samples);
}

static void find_unknown(struct status *s)
{
	const struct profile *p = s->p;
	guint64 *samples = g_new0(guint64, p->images->len + 1);

	for (guint i = 0; i < p->samples->len; i++) {
		const struct profile_sample *sample = PROFILE_AT(p->samples, sample, i);
		guint32 place;

		if (profile_is_idle(p, sample) || sample->node == PROFILE_NONE)
			continue;
		s->busy += sample->count;
		place = PROFILE_AT(p->nodes, node, sample->node)->place;
		if (profile_function_of(p, place))
			continue;
		s->nowhere += sample->count;
		samples[PROFILE_AT(p->places, place, place)->image] += sample->count;
	}
	s->unknown = g_array_new(FALSE, FALSE, sizeof(struct unknown));
	for (guint i = 0; i < p->images->len; i++) {
		struct unknown u = { PROFILE_AT(p->images, image, i)->path, samples[i] };

		if (u.samples)
			g_array_append_val(s->unknown, u);
	}
	g_array_sort(s->unknown, by_samples);
	g_free(samples);
}

/* ---- text --------------------------------------------------------------------------*/

static double cpu_percent(const struct status *s)
{
	guint64 ns = profile_end(s->p) - s->p->start - s->p->books.paused;

	return ns ? 100.0 * (double)s->p->books.own_cpu / (double)ns : 0;
}

static void print_samples(const struct profile_books *b)
{
	printf("samples  %" G_GUINT64_FORMAT " received", b->received);
	if (!b->skips_unknown)
		printf(" of %" G_GUINT64_FORMAT " expected", b->expected);
	printf(", %" G_GUINT64_FORMAT " lost, %" G_GUINT64_FORMAT " idle, %" G_GUINT64_FORMAT " not taken on idle CPUs\n",
	       b->lost, b->idle, b->asleep);
}

static void print_text(const struct status *s)
{
	char *from = key_time(s->p, s->p->start), *to = key_time(s->p, profile_end(s->p)),
	     *sampled = heading_span(profile_end(s->p) - s->p->start - s->p->books.paused);

	printf("store    %s: %.2f MB", s->path, (double)s->bytes / 1e6);
	if (s->most)
		printf(" of %g", (double)s->most / 1e6);
	printf("; %s\n", s->is_written ? "a recorder writes to it" : "no recorder writes to it now");
	printf("epochs   %u, from %s to %s: %s of it were sampled\n", s->epochs, from, to, sampled);
	print_samples(&s->p->books);
	printf("cost     %.2f %% of one CPU\n", cpu_percent(s));
	printf("unknown  %.2f %% of the samples that are not idle are in no function whose name is known\n",
	       tally_percent(s->nowhere, s->busy));
	for (guint i = 0; i < MIN(s->unknown->len, IMAGES); i++) {
		const struct unknown *u = &g_array_index(s->unknown, struct unknown, i);

		printf("%s%9" G_GUINT64_FORMAT " %8.2f  %s\n", i ? "" : "\n    count  percent  image\n", u->samples,
		       tally_percent(u->samples, s->busy), u->image);
	}
	if (s->unknown->len > IMAGES)
		printf("... %u images more (--json)\n", s->unknown->len - IMAGES);
	putchar('\n');
	heading_verdict(s->p, stdout);
	g_free(from);
	g_free(to);
	g_free(sampled);
}

/* ---- JSON and CSV --------------------------------------------------------------------*/

static int write_data(const char *who, const struct status *s, enum data_form form)
{
	static const char *const columns[] = { "image", "unknown", "percent", NULL };
	const struct sample_filter all = { 0 };
	struct data d;

	data_begin(&d, stdout, form, "lapwing-watch-status/1");
	data_text(&d, "store", s->path);
	data_value(&d, "bytes", "%" G_GUINT64_FORMAT, s->bytes);
	if (s->most)
		data_value(&d, "max_bytes", "%" G_GUINT64_FORMAT, s->most);
	else
		data_text(&d, "max_bytes", NULL);
	data_value(&d, "is_written", s->is_written ? "true" : "false");
	data_value(&d, "epochs", "%u", s->epochs);
	data_value(&d, "cpu_percent", "%.4f", cpu_percent(s));
	data_value(&d, "busy", "%" G_GUINT64_FORMAT, s->busy);
	data_value(&d, "unknown", "%" G_GUINT64_FORMAT, s->nowhere);
	heading_write(&d, s->p, &all);
	data_rows(&d, "rows", columns);
	for (guint i = 0; i < s->unknown->len; i++) {
		const struct unknown *u = &g_array_index(s->unknown, struct unknown, i);

		data_row(&d);
		data_text(&d, NULL, u->image);
		data_value(&d, NULL, "%" G_GUINT64_FORMAT, u->samples);
		data_value(&d, NULL, "%.4f", tally_percent(u->samples, s->busy));
		data_close(&d);
	}
	data_close(&d);
	return data_end(&d, who, "stdout");
}

/* ---- whole -------------------------------------------------------------------------*/

static int read_store(struct status *s, GError **error)
{
	struct store *store = store_open_read(s->path, error);
	char *most;

	if (!store)
		return -1;
	s->bytes = store_bytes(s->path);
	most = store_about(store, STORE_ABOUT_LIMIT);
	s->most = strtoull(most, NULL, 10);
	s->epochs = store_epochs(store);
	g_free(most);
	store_close(store);
	return 0;
}

int status_print(const char *who, const char *path, enum data_form form)
{
	struct status s = { .path = path };
	GError *error = NULL;
	struct profile *p = read_store(&s, &error) ? NULL : db_read(path, 0, G_MAXINT64, 0, &error);
	int status = 0;

	if (!p) {
		failure_report(who, error);
		return 1;
	}
	s.p = p;
	s.is_written = is_locked(path);
	find_unknown(&s);
	if (form)
		status = write_data(who, &s, form);
	else
		print_text(&s);
	g_array_unref(s.unknown);
	profile_free(p);
	return status;
}
