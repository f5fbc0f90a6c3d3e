/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracepoint_stub.h - tracepoints of a kernel that checks the type of what it calls (kCFI).
 *
 * Such a kernel calls only callbacks of the tracepoint's own type, which our handler is not. Each
 * tracepoint has an empty callback of its type (since Linux 6.8), the stub. It is registered once
 * per probe, with the probe as its data, and ftrace calls our handler at the entry of the stub.
 *
 * Process context; start and stop, and modules that come and go in between, which exclude each
 * other.
 */
#ifndef LAPWING_KERNEL_TRACEPOINT_STUB_H
#define LAPWING_KERNEL_TRACEPOINT_STUB_H

#include "runtime/rt.h"

struct tracepoint;

int stub_load(void);		/* 0 or -ENOMEM */
/* Hits begin after stub_start(). 0, or -errno if ftrace refuses the stub. */
int stub_arm(struct tracepoint *tp, const struct rt_probe *p);
/* After each stub_arm(), or after several of them. 0 or -errno. */
int stub_start(void);
void stub_disarm(struct tracepoint *tp, const struct rt_probe *p);
/* Call after all are disarmed and the kernel has waited for running hits; no hit follows. */
void stub_stop(void);

#endif
