/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat_perf.h - PMU data of a sample. The scheme is that of compat.h. Any context. */
#ifndef LAPWING_KERNEL_COMPAT_PERF_H
#define LAPWING_KERNEL_COMPAT_PERF_H

#include <linux/perf_event.h>

/*
 * True if the PMU has set the member for that PERF_SAMPLE_ flag. Before Linux 6.1 perf itself
 * clears the members read here, for every sample.
 */
#ifdef HAS_SAMPLE_FLAGS
#define sample_has(data, flag) ((data)->sample_flags & (flag))
#else
#define sample_has(data, flag) 1
#endif

/* The union's parts exist since the flags word does (Linux 5.12). */
#ifdef PERF_SAMPLE_WEIGHT_TYPE
#define sample_weight(data) ((data)->weight.full)
#else
#define sample_weight(data) ((data)->weight)
#endif

/* 0 or NULL: no data from the PMU. */
static inline u64 sample_address(const struct perf_sample_data *data)
{
	return sample_has(data, PERF_SAMPLE_ADDR) ? data->addr : 0;
}

static inline u64 sample_latency(const struct perf_sample_data *data)
{
	return sample_has(data, PERF_SAMPLE_WEIGHT) ? sample_weight(data) : 0;
}

static inline const struct perf_branch_stack *sample_branches(const struct perf_sample_data *data)
{
	return sample_has(data, PERF_SAMPLE_BRANCH_STACK) ? data->br_stack : NULL;
}

#endif
