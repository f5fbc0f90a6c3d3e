/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * callers.h - .eh_frame as rows that a handler can follow (struct wire_caller). What compilers never write is left out.
 */
#ifndef LAPWING_ELF_CALLERS_H
#define LAPWING_ELF_CALLERS_H

#include "runtime/elf/elffile.h"
#include "runtime/elf/table.h"

void callers_take(const struct elf *image, struct table *b);

#endif
