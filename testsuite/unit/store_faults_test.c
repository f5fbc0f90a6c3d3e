/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store_faults_test.c - the store of lapwing watch above a file system that fails. Each operation
 * that changes a file fails once: what was refused is stored when it is tried again, once. And the
 * power is lost at each of them: of what was not synchronized since, any part may be on the disk, in
 * sectors; all that store_put() said is stored is there.
 */
#include "store/limit.h"
#include "store/store.h"
#include "testsuite/unit/check.h"
#include "testsuite/unit/some_epoch.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR	512
#define MOST	(1 << 20)

static char *folder, *path;

/* ---- a VFS that fails ---------------------------------------------------------------*/

enum fault { NONE, FAILS, IS_FULL, POWER };

/* A file: what the disk has of it for certain, and the writes since. */
struct disk {
	char		*name;
	GByteArray	*certain;
	GPtrArray	*writes;		/* struct write */
};

/* The system's file, with some of its methods replaced. */
struct open_file {
	struct disk	*disk;
	const sqlite3_io_methods *system;
	sqlite3_io_methods ours;
};

struct write { gsize at; GBytes *data; };	/* data NULL: the file ends at `at` */

static sqlite3_vfs vfs, *system_vfs;
static GHashTable *open_files;			/* sqlite3_file to struct open_file */
static GPtrArray *disks;
static enum fault fault;
static int operations, fails_at;		/* the number of the operation that fails, from 1 */
static int is_off;				/* the power was lost */

static void free_write(void *data)
{
	struct write *w = data;

	g_clear_pointer(&w->data, g_bytes_unref);
	g_free(w);
}

static void free_disk(void *data)
{
	struct disk *d = data;

	g_free(d->name);
	g_byte_array_unref(d->certain);
	g_ptr_array_unref(d->writes);
	g_free(d);
}

static struct disk *disk_of(const char *name)
{
	struct disk *d;

	for (guint i = 0; i < disks->len; i++)
		if (!strcmp(((struct disk *)disks->pdata[i])->name, name))
			return disks->pdata[i];
	d = g_new0(struct disk, 1);
	d->name = g_strdup(name);
	d->certain = g_byte_array_new();
	d->writes = g_ptr_array_new_with_free_func(free_write);
	g_ptr_array_add(disks, d);
	return d;
}

static void resize(GByteArray *file, gsize size)
{
	gsize before = file->len;

	g_byte_array_set_size(file, (guint)size);
	if (size > before)
		memset(file->data + before, 0, size - before);
}

enum sectors { NO_SECTORS, ANY_SECTORS, ALL_SECTORS };

/* Of a write that was not synchronized, so many sectors are on the disk. */
static void apply(GByteArray *file, const struct write *w, enum sectors sectors)
{
	const guint8 *data = w->data ? g_bytes_get_data(w->data, NULL) : NULL;
	gsize n = w->data ? g_bytes_get_size(w->data) : 0, part;

	if (!data && w->at < file->len && (sectors == ALL_SECTORS || (sectors && random() % 2)))
		resize(file, w->at);
	for (gsize k = 0; k < n; k += part) {
		part = MIN(SECTOR - (w->at + k) % SECTOR, n - k);
		if (!sectors || (sectors == ANY_SECTORS && random() % 2))
			continue;
		if (file->len < w->at + k + part)
			resize(file, w->at + k + part);
		memcpy(file->data + w->at + k, data + k, part);
	}
}

static void settle(struct disk *d, enum sectors sectors)
{
	for (guint i = 0; i < d->writes->len; i++)
		apply(d->certain, d->writes->pdata[i], sectors);
	g_ptr_array_set_size(d->writes, 0);
}

/* The power is back. */
static void restart(void)
{
	char *shared = g_strconcat(path, "-shm", NULL);
	enum sectors sectors = (enum sectors)(random() % 3);

	g_unlink(shared);
	g_free(shared);
	for (guint i = 0; i < disks->len; i++) {
		struct disk *d = disks->pdata[i];

		settle(d, sectors);
		g_unlink(d->name);
		if (d->certain->len)
			CHECK(g_file_set_contents(d->name, (char *)d->certain->data, (gssize)d->certain->len, NULL));
	}
	is_off = 0;
	fault = NONE;
}

/* Counts an operation: SQLITE_OK, or how it fails. */
static int operation(int failure)
{
	if (is_off)
		return failure;
	if (++operations != fails_at || fault == NONE)
		return SQLITE_OK;
	is_off = fault == POWER;
	return fault == IS_FULL ? SQLITE_FULL : failure;
}

static struct open_file *file_of(sqlite3_file *f)
{
	return g_hash_table_lookup(open_files, f);
}

static void note(sqlite3_file *f, sqlite3_int64 at, GBytes *data)
{
	struct write *w = g_new(struct write, 1);

	w->at = (gsize)at;
	w->data = data;
	g_ptr_array_add(file_of(f)->disk->writes, w);
}

/* The last write before the power is lost is among those of which any part may be there. */
static int xWrite(sqlite3_file *f, const void *data, int n, sqlite3_int64 at)
{
	int was_off = is_off, rc = operation(SQLITE_IOERR_WRITE);

	if (rc == SQLITE_OK || is_off > was_off)
		note(f, at, g_bytes_new(data, (gsize)n));
	return rc == SQLITE_OK ? file_of(f)->system->xWrite(f, data, n, at) : rc;
}

static int xTruncate(sqlite3_file *f, sqlite3_int64 size)
{
	int rc = operation(SQLITE_IOERR_TRUNCATE);

	if (rc == SQLITE_OK)
		note(f, size, NULL);
	return rc == SQLITE_OK ? file_of(f)->system->xTruncate(f, size) : rc;
}

static int xSync(sqlite3_file *f, int flags)
{
	int rc = operation(SQLITE_IOERR_FSYNC);

	if (rc == SQLITE_OK)
		settle(file_of(f)->disk, ALL_SECTORS);
	return rc;
}

static int xClose(sqlite3_file *f)
{
	int rc = file_of(f)->system->xClose(f);

	g_hash_table_remove(open_files, f);
	return rc;
}

static int xDelete(sqlite3_vfs *v, const char *name, int sync)
{
	int rc = operation(SQLITE_IOERR_DELETE);

	if (rc != SQLITE_OK)
		return rc;
	resize(disk_of(name)->certain, 0);
	g_ptr_array_set_size(disk_of(name)->writes, 0);
	return system_vfs->xDelete(system_vfs, name, 0);
}

static int xOpen(sqlite3_vfs *v, const char *name, sqlite3_file *f, int flags, int *got)
{
	int rc = system_vfs->xOpen(system_vfs, name, f, flags, got);
	struct open_file *file;

	if (rc != SQLITE_OK)
		return rc;
	file = g_new(struct open_file, 1);
	*file = (struct open_file){ disk_of(name), f->pMethods, *f->pMethods };
	file->ours.xWrite = xWrite;
	file->ours.xTruncate = xTruncate;
	file->ours.xSync = xSync;
	file->ours.xClose = xClose;
	f->pMethods = &file->ours;
	g_hash_table_insert(open_files, f, file);
	return SQLITE_OK;
}

static void open_vfs(void)
{
	system_vfs = sqlite3_vfs_find(NULL);
	vfs = *system_vfs;
	vfs.zName = "fails";
	vfs.xOpen = xOpen;
	vfs.xDelete = xDelete;
	sqlite3_vfs_register(&vfs, 1);
	open_files = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	disks = g_ptr_array_new_with_free_func(free_disk);
}

/* ---- what a recorder does -----------------------------------------------------------*/

static struct store_epoch *epochs[3];

/* What there is to do, in this order; what fails stays to be done. */
#define STEPS	((int)G_N_ELEMENTS(epochs) + 2)

static int step(struct store *s, int i)
{
	GBytes *names = g_bytes_new_static("names", 5), *of[] = { names };
	int rc;

	if (i < (int)G_N_ELEMENTS(epochs))
		rc = store_put(s, epochs[i], NULL);
	else if (i == STEPS - 1)
		rc = store_compact(s, 3 * DAY, NULL);
	else
		rc = store_add_names(s, &g_array_index(epochs[0]->images, struct store_image, 0), of, 1, NULL);
	g_bytes_unref(names);
	return rc;
}

/* As many steps as succeed, from `done` on; how many have. */
static int work(int done)
{
	struct store *s = store_open(path, MOST, NULL);

	while (s && done < STEPS && !step(s, done))
		done++;
	if (s)
		store_close(s);
	return done;
}

static guint64 samples_until(int done)
{
	guint64 samples = 0;

	for (int i = 0; i < MIN(done, (int)G_N_ELEMENTS(epochs)); i++)
		samples += epochs[i]->books.received;
	return samples;
}

/* The steps that were done have left what they should; the next one, all or nothing. */
static void check_has(int done)
{
	GError *error = NULL;
	struct store *s = store_open(path, MOST, &error);
	struct store_epoch *e = s ? store_get(s, 0, G_MAXINT64, 0, NULL, &error) : NULL;
	GBytes *names = e ? store_names(s, &g_array_index(epochs[0]->images, struct store_image, 0)) : NULL;

	if (error)
		printf("operation %d, %d done: %s\n", fails_at, done, error->message);
	CHECK(e != NULL);
	if (e) {
		CHECK(samples_of(e) == e->books.received);
		CHECK(samples_of(e) == samples_until(done) || samples_of(e) == samples_until(done + 1));
		CHECK(done <= (int)G_N_ELEMENTS(epochs) || (names && g_bytes_get_size(names) % 5 == 0));
		CHECK(store_bytes(path) <= MOST);
		store_epoch_free(e);
	}
	g_clear_pointer(&names, g_bytes_unref);
	g_clear_error(&error);
	if (s)
		store_close(s);
}

static void forget(void)
{
	static const char *const endings[] = { "", "-wal", "-shm", "-journal" };

	for (guint i = 0; i < G_N_ELEMENTS(endings); i++) {
		char *name = g_strconcat(path, endings[i], NULL);

		g_unlink(name);
		g_free(name);
	}
	g_ptr_array_set_size(disks, 0);
}

/* The n-th operation fails so. 0: there were not so many. */
static int test(enum fault how, int n)
{
	int done;

	fault = how;
	operations = 0;
	fails_at = n;
	done = work(0);
	if (how == POWER)
		restart();
	fault = NONE;
	check_has(done);
	done = work(done);
	CHECK(done == STEPS);
	check_has(done);
	forget();
	return operations >= n;
}

int main(void)
{
	static const enum fault faults[] = { FAILS, IS_FULL, POWER };
	int n;

	open_vfs();
	folder = g_dir_make_tmp("lapwing-store-XXXXXX", NULL);
	path = g_build_filename(folder, "watch.db", NULL);
	for (guint i = 0; i < G_N_ELEMENTS(epochs); i++)
		add_stacks(epochs[i] = some_epoch(DAY + i * 25 * MINUTE, 12));
	for (guint i = 0; i < G_N_ELEMENTS(faults); i++) {
		for (n = 1; test(faults[i], n) && n < 10000; n++)
			;
		CHECK(n > 40 && n < 10000);
	}
	for (guint i = 0; i < G_N_ELEMENTS(epochs); i++)
		store_epoch_free(epochs[i]);
	g_rmdir(folder);
	return failures != 0;
}
