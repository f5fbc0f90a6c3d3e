/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verdict.h - what runs and reports alike say of samples that are not counted.
 */
#ifndef LAPWING_VERDICT_H
#define LAPWING_VERDICT_H

/* Why a verdict is UNKNOWN, and what makes it known. */
#define VERDICT_SKIPS_UNKNOWN \
	"a clock that samples only user code, or only the kernel, does not tell how many samples the " \
	"kernel skipped: sample both, without :u or :k, as root or with CAP_PERFMON"
/* Why a clock samples user code alone, though nobody asked for that. */
#define VERDICT_KERNEL_NEEDS "samples of kernel code need root or CAP_PERFMON"

#endif
