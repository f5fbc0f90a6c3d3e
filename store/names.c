/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.c - the names in images, in parts as they become known, each compressed. What they say is the
 * caller's.
 */
#include "store/room.h"

#include "lib/failure_error.h"

#include <zstd.h>

#define NAMES_LEVEL	9		/* of zstd */
#define NAMES_MAX	(64u << 20)	/* bytes of a part */
#define NAMES_PARTS	16		/* so many parts of an image become one */

/* Caller unrefs. */
static GBytes *compressed(GBytes *bytes)
{
	gsize n, size;
	const void *data = g_bytes_get_data(bytes, &size);
	guint8 *small = g_malloc(ZSTD_compressBound(size));

	n = ZSTD_compress(small, ZSTD_compressBound(size), data, size, NAMES_LEVEL);
	return g_bytes_new_take(small, ZSTD_isError(n) ? 0 : n);
}

/* NULL: damaged. */
static GBytes *decompressed(const void *data, gsize size)
{
	unsigned long long room = ZSTD_getFrameContentSize(data, size);
	guint8 *plain;
	gsize n;

	if (room > NAMES_MAX)		/* the values for errors, too */
		return NULL;
	plain = g_malloc(room + 1);
	n = ZSTD_decompress(plain, room, data, size);
	if (!ZSTD_isError(n))
		return g_bytes_new_take(plain, n);
	g_free(plain);
	return NULL;
}

/* All parts of the names, or NULL: none. */
static GBytes *read_names(struct store *s, gint64 image)
{
	sqlite3_stmt *stmt = sql_prepare(s, NULL, "SELECT data FROM names WHERE image = ? ORDER BY part", "i", image);
	GByteArray *all = g_byte_array_new();

	while (stmt && sqlite3_step(stmt) == SQLITE_ROW) {
		GBytes *part = decompressed(sqlite3_column_blob(stmt, 0), (gsize)sqlite3_column_bytes(stmt, 0));

		if (!part)
			break;
		g_byte_array_append(all, g_bytes_get_data(part, NULL), (guint)g_bytes_get_size(part));
		g_bytes_unref(part);
	}
	sqlite3_finalize(stmt);
	if (all->len)
		return g_byte_array_free_to_bytes(all);
	g_byte_array_unref(all);
	return NULL;
}

static int insert_names(struct store *s, gint64 image, gint64 part, GBytes *small, GError **error)
{
	return sql_finish(s, sql_prepare(s, error, "INSERT INTO names(image, part, data) VALUES(?, ?, ?)", "iib",
					 image, part, small), error);
}

/* Makes one part of all. */
static int join_names(struct store *s, gint64 image, GError **error)
{
	GBytes *all = read_names(s, image), *small = all ? compressed(all) : NULL;
	int rc = sql_finish(s, sql_prepare(s, error, "DELETE FROM names WHERE image = ?", "i", image), error);

	if (!rc && small)
		rc = insert_names(s, image, 0, small, error);
	g_clear_pointer(&all, g_bytes_unref);
	g_clear_pointer(&small, g_bytes_unref);
	return rc;
}

static int add_names(struct store *s, const struct store_image *image, GBytes *small, GError **error)
{
	gint64 id = sql_image(s, image, error), parts;

	if (id <= 0)			/* its counts have been removed meanwhile: nobody asks for its names */
		return id < 0 ? -1 : 0;
	parts = sql_number(s, sql_prepare(s, error, "SELECT count(*) FROM names WHERE image = ?", "i", id), error);
	if (parts < 0 || insert_names(s, id, parts, small, error))
		return -1;
	return parts + 1 >= NAMES_PARTS ? join_names(s, id, error) : 0;
}

/* 0, or -1 with *error set: names would leave less than half of the file to counts. */
static int fit(struct store *s, gint64 bytes, GError **error)
{
	gint64 has = sql_number(s, sql_prepare(s, error, "SELECT sum(length(data)) FROM names", ""), error);

	if (has < 0)
		return -1;
	if (has + bytes <= limit_of_file((gint64)s->most) / 2)
		return 0;
	g_set_error(error, FAILURE_ERROR, FAILURE_FILE_WRITE,
		    "'%s': names of functions would take more than half of the store: those that are new are left out,"
		    " and a larger --max-size has room for them", s->path);
	return -1;
}

int store_add_names(struct store *s, const struct store_image *images, GBytes *const *names, guint n, GError **error)
{
	int rc = 0;

	for (guint i = 0, next; i < n && !rc; i = next) {
		GPtrArray *small = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
		gsize bytes = 0;

		/* as many in a transaction as the log has room for, with what changes beside them */
		for (next = i; next < n && (next == i || bytes < (gsize)limit_of_log((gint64)s->most) / 4); next++) {
			GBytes *one = compressed(names[next]);

			bytes += g_bytes_get_size(one) + LIMIT_PAGE;
			g_ptr_array_add(small, one);
		}
		rc = room_begin(s, error);
		if (!rc) {
			rc = fit(s, (gint64)bytes, error) || room_make(s, 8 + (gint64)bytes / LIMIT_PAGE, error) ? -1 : 0;
			for (guint k = 0; k < small->len && !rc; k++)
				rc = add_names(s, &images[i + k], small->pdata[k], error);
			rc = room_end(s, rc, error);
		}
		g_ptr_array_unref(small);
	}
	return rc;
}

GBytes *store_names(struct store *s, const struct store_image *image)
{
	return read_names(s, sql_image(s, image, NULL));
}
