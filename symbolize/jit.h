/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jit.h - symbols of code that processes made, as they tell of it in files.
 */
#ifndef LAPWING_SYMBOLIZE_JIT_H
#define LAPWING_SYMBOLIZE_JIT_H

#include "runtime/rt.h"

struct wire_symtab;

/*
 * Functions by address, from a perf-PID.map (lines "START SIZE NAME", numbers with or without 0x)
 * or a jitdump file. *rejected: how many lines are malformed.
 */
struct wire_symtab *symfile_perfmap(int fd, const char *shown, u64 *bytes, u32 *rejected);
struct wire_symtab *symfile_jitdump(int fd, const char *shown, u64 *bytes);

#endif
