/* SPDX-License-Identifier: GPL-2.0-or-later */
/* family_tracepoint.h - kernel.trace: the kernel's tracepoints, found by name. */
#ifndef LAPWING_KERNEL_PROBES_FAMILY_TRACEPOINT_H
#define LAPWING_KERNEL_PROBES_FAMILY_TRACEPOINT_H

struct tracepoint;

/* NULL: the kernel proper has no such tracepoint. Process context. */
struct tracepoint *tracepoint_named(const char *name);

#endif
