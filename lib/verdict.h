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
#define VERDICT_DROPS_UNKNOWN \
	"the processor has dropped samples, and does not say how many: sample less often"
#define VERDICT_CPUS_UNKNOWN \
	"a CPU was not sampled for a while, as its events could not be opened again: what is missing there is not known"
/* What is not known: bits of struct wire_account's and a capture's skips_unknown. */
enum verdict_skips { SKIPS_OF_KERNEL = 1, SKIPS_OF_PROCESSOR = 2, SKIPS_OF_CPUS = 4, SKIPS_END = 8 };
static inline const char *verdict_skips_text(unsigned skips)
{
	return skips & SKIPS_OF_KERNEL	    ? VERDICT_SKIPS_UNKNOWN
	       : skips & SKIPS_OF_PROCESSOR ? VERDICT_DROPS_UNKNOWN
					    : VERDICT_CPUS_UNKNOWN;
}
/* Why a clock samples user code alone, though nobody asked for that. */
#define VERDICT_KERNEL_NEEDS "samples of kernel code need root or CAP_PERFMON"

#endif
