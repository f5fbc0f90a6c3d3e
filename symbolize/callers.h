/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * callers.h - .eh_frame as rows that a handler can follow (struct wire_caller). Rules that
 * compilers never generate are skipped. Converts all of an image's rows for the kernel runtime, or
 * those of the places that occur, which are cached.
 */
#ifndef LAPWING_SYMBOLIZE_CALLERS_H
#define LAPWING_SYMBOLIZE_CALLERS_H

#include "symbolize/cfi.h"
#include "symbolize/elffile.h"
#include "symbolize/image.h"
#include "symbolize/table.h"

/* The row for an offset in an image's file; base is WIRE_CALLER_NONE if there is none. */
struct wire_caller callers_at(struct image *im, u64 offset);
/* True if the function at an offset is an entry point of a process or thread (it has no caller). */
int callers_is_start(struct image *im, u64 offset);
/*
 * True if the instruction before an offset can be a call. If not, the offset is not a return
 * address.
 */
int callers_follows_call(struct image *im, u64 offset);
/* Frees an image's cache. */
void callers_forget(struct image *im);
void callers_take(const struct elf *image, struct table *b);

#endif
