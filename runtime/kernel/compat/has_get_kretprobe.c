// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * has_get_kretprobe.c - compiles if pending calls of kretprobes are in a list per task, and may
 * outlive their probe (Linux 5.11).
 */
#include <linux/kprobes.h>

struct kretprobe *has_get_kretprobe(struct kretprobe_instance *call);
struct kretprobe *has_get_kretprobe(struct kretprobe_instance *call)
{
	return get_kretprobe(call);
}
