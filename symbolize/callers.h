/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * callers.h - .eh_frame as rows that a handler can follow (struct wire_caller). What compilers never write is left out. All of an image's
 * rows for the kernel runtime, or those of the places that occur, which are remembered.
 */
#ifndef LAPWING_SYMBOLIZE_CALLERS_H
#define LAPWING_SYMBOLIZE_CALLERS_H

#include "symbolize/cfi.h"
#include "symbolize/elffile.h"
#include "symbolize/image.h"
#include "symbolize/table.h"

/* One row; of base WIRE_CALLER_NONE where it is none that compilers write. */
struct wire_caller callers_of(const struct cfi_row *row, int arm64);
/* How the caller of what runs at an offset of an image is found; of base WIRE_CALLER_NONE: not known. */
struct wire_caller callers_at(struct image *im, u64 offset);
/* Is the function at an offset one that a process's or thread's code begins in, and that nobody has called? */
int callers_is_start(struct image *im, u64 offset);
/* May a call return to an offset of an image? Not if another instruction is before it: what looked like a return address is none. */
int callers_follows_call(struct image *im, u64 offset);
/* What these remember of an image. */
void callers_forget(struct image *im);
void callers_take(const struct elf *image, struct table *b);

#endif
