/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xz.h - unpacks .gnu_debugdata. Two forms: xz.c borrows liblzma of the machine where it is installed; xz_none.c, in static programs,
 * unpacks nothing.
 */
#ifndef LAPWING_SYMBOLIZE_XZ_H
#define LAPWING_SYMBOLIZE_XZ_H

#include "runtime/rt.h"

/* The unpacked bytes, the caller's to free; NULL: damaged, more than 64 MB, or no liblzma here. */
void *xz_unpack(const void *packed, u64 size, u64 *whole);

#endif
