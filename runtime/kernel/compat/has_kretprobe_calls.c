// SPDX-License-Identifier: GPL-2.0-or-later
/* has_kretprobe_calls.c - compiles if tasks have lists of pending kretprobe calls (Linux 5.11). */
#include <linux/kprobes.h>
#include <linux/llist.h>
#include <linux/sched.h>

struct kretprobe *has_kretprobe_calls(const struct task_struct *t);
struct kretprobe *has_kretprobe_calls(const struct task_struct *t)
{
	return get_kretprobe(
		llist_entry(t->kretprobe_instances.first, struct kretprobe_instance, llist));
}
