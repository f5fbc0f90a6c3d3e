/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * num.h - integer arithmetic that is defined for every input.
 *
 * Script longs wrap; C's signed integers must not. Only inline functions, no state.
 */
#ifndef LAPWING_CORE_NUM_H
#define LAPWING_CORE_NUM_H

#include "runtime/rt.h"

/* a + b, a - b, a * b and -a modulo 2^64. */
static inline s64 num_add(s64 a, s64 b) { return (s64)((u64)a + (u64)b); }
static inline s64 num_sub(s64 a, s64 b) { return (s64)((u64)a - (u64)b); }
static inline s64 num_mul(s64 a, s64 b) { return (s64)((u64)a * (u64)b); }
static inline s64 num_neg(s64 a) { return (s64)(0 - (u64)a); }
/* |a| without overflow. */
static inline u64 num_abs(s64 a) { return a < 0 ? 0 - (u64)a : (u64)a; }
/* Bits needed to write v: 0 for 0, 64 for the largest. */
static inline u32 num_bits(u64 v) { return v ? 64 - (u32)__builtin_clzll(v) : 0; }
/* Next multiple of 8. */
static inline u64 num_align8(u64 n) { return (n + 7) & ~7ULL; }
/* Next multiple of a cache line. */
static inline u64 num_align_line(u64 n) { return (n + 63) & ~63ULL; }

#endif
