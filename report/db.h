/* SPDX-License-Identifier: GPL-2.0-or-later */
/* db.h - a store of lapwing watch as a profile, which all reports can show. */
#ifndef LAPWING_REPORT_DB_H
#define LAPWING_REPORT_DB_H

#include "report/profile.h"
#include "store/store.h"

/*
 * The epochs that overlap a time (ns since 1970), added up, or told apart (STORE_BY_EPOCH:
 * profile.epochs): its samples stand for several (profile_sample.count). Names are those that the store
 * has; there are none if samples have images alone (STORE_BY_IMAGE), and those of functions if they have
 * no more (STORE_BY_FUNCTION). NULL with *error set.
 */
struct profile *db_read(const char *path, gint64 since, gint64 until, enum store_how how, GError **error);
/* What a table by these keys (keys_parse()) needs. */
enum store_how db_how(const char *by);

#endif
