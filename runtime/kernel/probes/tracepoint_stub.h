/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracepoint_stub.h - tracepoints of a kernel that checks the types of callbacks (kCFI): it stops
 * where an event with several callbacks calls one whose parameters are not the event's. So the
 * callback is an empty one that the kernel has for each event, and ftrace calls us at its entry.
 */
#ifndef LAPWING_KERNEL_PROBES_TRACEPOINT_STUB_H
#define LAPWING_KERNEL_PROBES_TRACEPOINT_STUB_H

struct rt_probe;
struct tracepoint;

/*
 * Hits of the tracepoint are the probe's, as of tracepoint_probe_register(); process context, one
 * caller at a time. 0, -EOPNOTSUPP: the kernel has no such callback, -EPERM: ftrace is
 * switched off, or -errno.
 */
int stub_arm(struct tracepoint *tp, const struct rt_probe *p);
void stub_disarm(struct tracepoint *tp, const struct rt_probe *p);

#endif
