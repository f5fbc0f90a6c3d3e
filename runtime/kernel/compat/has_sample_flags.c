// SPDX-License-Identifier: GPL-2.0-or-later
/* has_sample_flags.c - compiles if a sample says which of its values there are (Linux 6.1). */
#include <linux/perf_event.h>

u64 has_sample_flags(const struct perf_sample_data *data);
u64 has_sample_flags(const struct perf_sample_data *data)
{
	return data->sample_flags;
}
