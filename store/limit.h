/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limit.h - a layer below SQLite that refuses what would make a store's files larger than its limit:
 * the file itself may have three quarters of it, the write-ahead log and its index the rest. The log
 * grows with a transaction, and with each one more while somebody reads an older state.
 */
#ifndef LAPWING_STORE_LIMIT_H
#define LAPWING_STORE_LIMIT_H

#include <sqlite3.h>

#define LIMIT_PAGE	4096		/* bytes of a page of a store */

/*
 * The name of an SQLite VFS, which this registers at the first call above the VFS that is the default
 * then. A database that is opened with the URI parameter `most` has so many bytes at most, with what
 * SQLite keeps beside it: beyond that a write fails with SQLITE_FULL. NULL: no memory.
 */
const char *limit_vfs(void);
/* Bytes that the file, and the log, of a store with a limit of `most` bytes may have. */
sqlite3_int64 limit_of_file(sqlite3_int64 most);
sqlite3_int64 limit_of_log(sqlite3_int64 most);
/* Whether a write to the log was refused since this was asked. */
int limit_refused_log(void);

#endif
