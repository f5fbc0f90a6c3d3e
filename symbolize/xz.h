/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xz.h - decompresses .gnu_debugdata. Two implementations: xz.c loads the machine's liblzma, if
 * installed; xz_none.c, in static programs, decompresses nothing.
 */
#ifndef LAPWING_SYMBOLIZE_XZ_H
#define LAPWING_SYMBOLIZE_XZ_H

#include "runtime/rt.h"

/* The decompressed bytes, which the caller frees; NULL: damaged, more than 64 MB, or no liblzma. */
void *xz_unpack(const void *packed, u64 size, u64 *whole);

#endif
