/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jit.h - functions that a process generated at run time, from perf-PID.map and jitdump files.
 */
#ifndef LAPWING_SYMBOLIZE_JIT_H
#define LAPWING_SYMBOLIZE_JIT_H

#include "symbolize/symfile.h"

/*
 * Functions by address, from lines "START SIZE NAME" (perf-PID.map; numbers with or without 0x), or
 * from a jitdump file. *rejected: number of whole lines that were not valid.
 */
struct wire_symtab *symfile_perfmap(int fd, const char *shown, u64 *bytes, u32 *rejected);
struct wire_symtab *symfile_jitdump(int fd, const char *shown, u64 *bytes);

#endif
