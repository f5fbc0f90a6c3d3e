/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limit.c - see limit.h. The interface is that of https://www.sqlite.org/vfs.html. The index of the
 * log has 32 kB for each 4,096 pages that the log has (the first part: 4,062), see "WAL-index format"
 * in https://www.sqlite.org/walformat.html.
 */
#include "store/limit.h"

#include <string.h>

#define LOG_HEADER	32
#define FRAME		(24 + LIMIT_PAGE)	/* a page in the log */
#define INDEX_FRAMES	4062
#define INDEX_PART	32768

/* What SQLite has for a file of ours; that of the VFS below stands behind it. */
struct file {
	sqlite3_file	base;
	sqlite3_int64	most;			/* bytes; 0: any */
	int		is_log;
};

static sqlite3_vfs vfs, *system_vfs;
static int refused_log;

sqlite3_int64 limit_of_file(sqlite3_int64 most)
{
	return most / 4 * 3;
}

/* The rest, less the index that a log of all the rest would have. */
sqlite3_int64 limit_of_log(sqlite3_int64 most)
{
	sqlite3_int64 rest = most - limit_of_file(most);

	return rest - (rest / FRAME / INDEX_FRAMES + 1) * INDEX_PART;
}

int limit_refused_log(void)
{
	int refused = refused_log;

	refused_log = 0;
	return refused;
}

static sqlite3_file *below(sqlite3_file *f)
{
	return (sqlite3_file *)((struct file *)f + 1);
}

/* ---- what a file does -------------------------------------------------------------*/

#define FORWARD(name, parameters, ...) \
	static int name parameters { return below(f)->pMethods->name(below(f), ##__VA_ARGS__); }

static int xClose(sqlite3_file *f)
{
	int rc = below(f)->pMethods->xClose(below(f));

	f->pMethods = NULL;
	return rc;
}

static int xWrite(sqlite3_file *f, const void *data, int n, sqlite3_int64 at)
{
	const struct file *file = (const struct file *)f;
	sqlite3_int64 size = 0;

	/* what is within the file replaces what is there: it may be larger than a limit that has changed */
	if (file->most && at + n > file->most &&
	    (below(f)->pMethods->xFileSize(below(f), &size) != SQLITE_OK || at + n > size)) {
		refused_log |= file->is_log;
		return SQLITE_FULL;
	}
	return below(f)->pMethods->xWrite(below(f), data, n, at);
}

FORWARD(xRead, (sqlite3_file *f, void *data, int n, sqlite3_int64 at), data, n, at)
FORWARD(xTruncate, (sqlite3_file *f, sqlite3_int64 size), size)
FORWARD(xSync, (sqlite3_file *f, int flags), flags)
FORWARD(xFileSize, (sqlite3_file *f, sqlite3_int64 *size), size)
FORWARD(xLock, (sqlite3_file *f, int level), level)
FORWARD(xUnlock, (sqlite3_file *f, int level), level)
FORWARD(xCheckReservedLock, (sqlite3_file *f, int *result), result)
FORWARD(xFileControl, (sqlite3_file *f, int op, void *arg), op, arg)
FORWARD(xSectorSize, (sqlite3_file *f))
FORWARD(xDeviceCharacteristics, (sqlite3_file *f))
FORWARD(xShmMap, (sqlite3_file *f, int part, int size, int extend, void volatile **at), part, size, extend, at)
FORWARD(xShmLock, (sqlite3_file *f, int offset, int n, int flags), offset, n, flags)
FORWARD(xShmUnmap, (sqlite3_file *f, int delete), delete)

static void xShmBarrier(sqlite3_file *f)
{
	below(f)->pMethods->xShmBarrier(below(f));
}

/* Version 2: without the mapped files of version 3, which no store uses. */
static const sqlite3_io_methods methods = {
	.iVersion = 2,
	.xClose = xClose,
	.xRead = xRead,
	.xWrite = xWrite,
	.xTruncate = xTruncate,
	.xSync = xSync,
	.xFileSize = xFileSize,
	.xLock = xLock,
	.xUnlock = xUnlock,
	.xCheckReservedLock = xCheckReservedLock,
	.xFileControl = xFileControl,
	.xSectorSize = xSectorSize,
	.xDeviceCharacteristics = xDeviceCharacteristics,
	.xShmMap = xShmMap,
	.xShmLock = xShmLock,
	.xShmBarrier = xShmBarrier,
	.xShmUnmap = xShmUnmap,
};

/* ---- the VFS ---------------------------------------------------------------------*/

static int xOpen(sqlite3_vfs *v, const char *name, sqlite3_file *f, int flags, int *got)
{
	struct file *file = (struct file *)f;
	int rc, beside = flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL);
	sqlite3_int64 most = name && (beside || flags & SQLITE_OPEN_MAIN_DB) ? sqlite3_uri_int64(name, "most", 0) : 0;

	memset(f, 0, (size_t)v->szOsFile);
	rc = system_vfs->xOpen(system_vfs, name, below(f), flags, got);
	if (rc != SQLITE_OK)
		return rc;
	file->most = !most ? 0 : beside ? limit_of_log(most) : limit_of_file(most);
	file->is_log = beside != 0;
	f->pMethods = &methods;
	return SQLITE_OK;
}

const char *limit_vfs(void)
{
	if (vfs.zName)
		return vfs.zName;
	system_vfs = sqlite3_vfs_find(NULL);
	if (!system_vfs)
		return NULL;
	vfs = *system_vfs;			/* all but opening files is the system's */
	vfs.pNext = NULL;
	vfs.zName = "lapwing";
	vfs.szOsFile += (int)sizeof(struct file);
	vfs.xOpen = xOpen;
	return sqlite3_vfs_register(&vfs, 0) == SQLITE_OK ? vfs.zName : NULL;
}
