# store: profiles of weeks in an SQLite file
# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libstore.a
libstore_a_SOURCES = \
	store/epoch.c store/epoch.h store/limit.c store/limit.h store/load.c store/load.h store/names.c store/room.c store/room.h \
	store/segment.c store/segment.h store/sql.c store/sql.h store/store.c store/store.h
