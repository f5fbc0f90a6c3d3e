/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture.c - see capture.h.
 */
#include "report/capture.h"

#include "lib/failure_error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static const char magic[] = "lapwing capture\n";
#define MAGIC_BYTES	(sizeof(magic) - 1)
#define HEAD_BYTES	8
#define WAITING_MAX	(64u << 10)	/* bytes of frames that are written at once */
#define FRAME_MAX	(64u << 20)	/* bytes: no writer of ours makes larger ones */

struct capture_writer {
	int	fd;
	char	*path;
	GByteArray *body;
	GByteArray *waiting;		/* complete frames: the file never contains a partial
					 * frame */
	guint64	bytes;
	int	failed;			/* errno of the first failure */
};

static void store_u32(guint8 *p, guint32 v)
{
	v = GUINT32_TO_LE(v);
	memcpy(p, &v, sizeof(v));
}

static guint32 load_u32(const guint8 *p)
{
	guint32 v;

	memcpy(&v, p, sizeof(v));
	return GUINT32_FROM_LE(v);
}

struct capture_writer *capture_create(const char *path, GError **error)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct capture_writer *w;

	if (fd < 0) {
		g_set_error(error, FAILURE_ERROR, FAILURE_FILE_WRITE, "'%s' cannot be written: %s",
			    path, g_strerror(errno));
		return NULL;
	}
	w = g_new0(struct capture_writer, 1);
	w->fd = fd;
	w->path = g_strdup(path);
	w->body = g_byte_array_new();
	w->waiting = g_byte_array_new();
	g_byte_array_append(w->waiting, (const guint8 *)magic, MAGIC_BYTES);
	w->bytes = MAGIC_BYTES;
	return w;
}

int capture_put(struct capture_writer *w, const Cap__Frame *frame)
{
	size_t n = cap__frame__get_packed_size(frame);
	guint8 head[HEAD_BYTES];

	if (w->failed)
		return -1;
	g_assert(n <= FRAME_MAX);
	g_byte_array_set_size(w->body, (guint)n);
	cap__frame__pack(frame, w->body->data);
	store_u32(head, (guint32)n);
	store_u32(head + 4, (guint32)crc32(0, w->body->data, (uInt)n));
	g_byte_array_append(w->waiting, head, HEAD_BYTES);
	g_byte_array_append(w->waiting, w->body->data, (guint)n);
	w->bytes += HEAD_BYTES + n;
	return w->waiting->len < WAITING_MAX ? 0 : capture_flush(w);
}

/* A terminating signal does not split a frame, even if the reader of a pipe is slow. */
int capture_flush(struct capture_writer *w)
{
	gsize done = 0;

	while (!w->failed && done < w->waiting->len) {
		ssize_t n = write(w->fd, w->waiting->data + done, w->waiting->len - done);

		if (n >= 0)
			done += (gsize)n;
		else if (errno != EINTR)
			w->failed = errno;
	}
	g_byte_array_set_size(w->waiting, 0);
	return w->failed ? -1 : 0;
}

guint64 capture_bytes(const struct capture_writer *w)
{
	return w->bytes;
}

int capture_close(struct capture_writer *w, GError **error)
{
	int failed = capture_flush(w) ? w->failed : 0;

	if (close(w->fd) && !failed)
		failed = errno;
	if (failed)
		g_set_error(error, FAILURE_ERROR, FAILURE_FILE_WRITE, "'%s' is not complete: %s",
			    w->path, g_strerror(failed));
	g_byte_array_free(w->body, TRUE);
	g_byte_array_free(w->waiting, TRUE);
	g_free(w->path);
	g_free(w);
	return failed ? -1 : 0;
}

/* The frame at *p, which is advanced; NULL: *why says what is wrong with it. */
static Cap__Frame *next_frame(const guint8 **p, const guint8 *end, const char **why)
{
	guint32 n, crc;
	Cap__Frame *frame;

	if (end - *p < HEAD_BYTES || (gsize)(end - *p - HEAD_BYTES) < load_u32(*p)) {
		*why = "it was cut off";
		return NULL;
	}
	n = load_u32(*p);
	crc = load_u32(*p + 4);
	if (n > FRAME_MAX || crc != (guint32)crc32(0, *p + HEAD_BYTES, n)) {
		*why = "its bytes are damaged";
		return NULL;
	}
	frame = cap__frame__unpack(NULL, n, *p + HEAD_BYTES);
	if (!frame)
		*why = "a frame cannot be decoded";
	else
		*p += HEAD_BYTES + n;
	return frame;
}

int capture_parse(const guint8 *bytes, gsize size,
		  int (*take)(void *data, const Cap__Frame *frame, GError **error), void *data,
		  struct capture_end *end, GError **error)
{
	const guint8 *p = bytes, *last = bytes + size;
	int rc = 0;

	*end = (struct capture_end){ .size = size };
	if (size < MAGIC_BYTES || memcmp(p, magic, MAGIC_BYTES)) {
		g_set_error(error, FAILURE_ERROR, FAILURE_CAPTURE_OTHER,
			    "not a Lapwing capture: make one with 'lapwing record -o FILE -- "
			    "COMMAND'");
		return -1;
	}
	for (p += MAGIC_BYTES; !rc && p < last; ) {
		const char *damage = NULL;
		Cap__Frame *frame = next_frame(&p, last, &damage);

		if (!frame) {
			end->damage = g_strdup_printf("%s at byte %" G_GUINT64_FORMAT
						      " of %" G_GUINT64_FORMAT,
						      damage, (guint64)(p - bytes), end->size);
			break;
		}
		rc = take(data, frame, error);
		end->frames += !rc;
		cap__frame__free_unpacked(frame, NULL);
	}
	end->good = (guint64)(p - bytes);
	return rc;
}
