# store: profiles of weeks in an SQLite file
# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libstore.a
libstore_a_SOURCES = store/epoch.c store/epoch.h store/segment.c store/segment.h store/store.c store/store.h
