/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probed_trace.h - a tracepoint with more arguments than any architecture passes in registers. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM probed

#if !defined(PROBED_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define PROBED_TRACE_H

#include <linux/tracepoint.h>

TRACE_EVENT(probed_args,
	TP_PROTO(int a, unsigned long b, const char *c, unsigned char d, u64 e, int f, long g,
		 short h, int i, u64 j),
	TP_ARGS(a, b, c, d, e, f, g, h, i, j),
	TP_STRUCT__entry(__field(int, a)),
	TP_fast_assign(__entry->a = a;),
	TP_printk("a=%d", __entry->a)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE probed_trace
#include <trace/define_trace.h>
