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
/* What is not known: bits of struct wire_account's and a capture's skips_unknown. */
enum verdict_skips { SKIPS_OF_KERNEL = 1, SKIPS_OF_PROCESSOR = 2 };
static inline const char *verdict_skips_text(unsigned skips)
{
	return skips & SKIPS_OF_KERNEL ? VERDICT_SKIPS_UNKNOWN : VERDICT_DROPS_UNKNOWN;
}
/* Why a clock samples user code alone, though nobody asked for that. */
#define VERDICT_KERNEL_NEEDS "samples of kernel code need root or CAP_PERFMON"

#endif
