// SPDX-License-Identifier: GPL-2.0-or-later
/* has_weight_struct.c - compiles if a sample has several latencies (Linux 5.12). */
#include <linux/perf_event.h>

u16 has_weight_struct(const struct perf_sample_data *data);
u16 has_weight_struct(const struct perf_sample_data *data)
{
	return PERF_SAMPLE_WEIGHT_STRUCT ? data->weight.var2_w : 0;
}
