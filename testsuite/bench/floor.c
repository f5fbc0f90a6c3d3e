// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * floor.c - what a hit costs at least: hand-written handlers that do one job each, without guards,
 * books, locks or limits.
 *
 * Parameters: mode, which job; symbol, the probed function. Loaded by hits.sh in the boot where
 * scripts are measured.
 */
#include <linux/bits.h>
#include <linux/ftrace.h>
#include <linux/hash.h>
#include <linux/hrtimer.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/tracepoint.h>
#include <linux/vmalloc.h>
#include <asm/irq_regs.h>
#include <asm/unwind.h>

static char *mode = "count", *symbol = "__do_sys_getppid";
module_param(mode, charp, 0400);
module_param(symbol, charp, 0400);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("floors of the hit benchmark");

enum { SLOTS = 1024, RING = 1 << 20 };

struct slot { u64 key; u64 value; };
struct sum_stat { u64 count, sum; s64 min, max; };
struct record { u32 len, type; u64 stamp; s64 pid; char comm[16]; };

static DEFINE_PER_CPU(u64, counter);
static DEFINE_PER_CPU(struct sum_stat, stats);
static struct slot map[SLOTS];
static u64 histogram[65];
static u8 *ring;
static u64 ring_at;

static notrace void do_count(unsigned long ip) { this_cpu_inc(counter); }

static notrace void do_stat(unsigned long ip)
{
	struct sum_stat *s = this_cpu_ptr(&stats);

	s->count++;
	s->sum += 1;
	if (s->min > 1)
		s->min = 1;
	if (s->max < 1)
		s->max = 1;
}

static notrace void add_to_map(u64 key)
{
	u32 i = hash_64(key, 10);

	while (map[i].key && map[i].key != key)
		i = (i + 1) & (SLOTS - 1);
	map[i].key = key;
	map[i].value++;
}

static notrace void do_map(unsigned long ip) { add_to_map((u64)current->pid); }

static notrace void do_record(unsigned long ip)
{
	struct record *r = (struct record *)(ring + (ring_at & (RING - 1)));

	ring_at += sizeof(*r);
	r->len = sizeof(*r);
	r->stamp = ktime_get_mono_fast_ns();
	r->pid = current->tgid;
	memcpy(r->comm, current->comm, 16);
}

static void (*job)(unsigned long ip) = do_count;

static notrace void on_entry(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
			     struct ftrace_regs *regs)
{
	job(ip);
}
static struct ftrace_ops ops = { .func = on_entry };

static int on_kprobe(struct kprobe *kp, struct pt_regs *regs)
{
	job((unsigned long)kp->addr);
	return 0;
}
static struct kprobe probe = { .pre_handler = on_kprobe };

static int on_enter(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	*(u64 *)ri->data = ktime_get_mono_fast_ns();
	return 0;
}

static int on_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	u64 took = ktime_get_mono_fast_ns() - *(u64 *)ri->data;

	histogram[took ? ilog2(took) + 1 : 0]++;
	return 0;
}
static struct kretprobe returns = { .handler = on_return,
				    .entry_handler = on_enter,
				    .data_size = 8 };

static void on_sys_enter(void *data, struct pt_regs *regs, long id) { this_cpu_inc(counter); }
static struct tracepoint *sys_enter;
static void find_tracepoint(struct tracepoint *tp, void *data)
{
	if (!strcmp(tp->name, "sys_enter"))
		sys_enter = tp;
}

static struct hrtimer timer;
static u64 stack_hash(struct pt_regs *regs)
{
	struct unwind_state state;
	u64 hash = regs->ip;
	unsigned long ip;
	u32 n = 0;

	for (unwind_start(&state, current, regs, NULL); !unwind_done(&state) && n < 20;
	     unwind_next_frame(&state), n++) {
		ip = unwind_get_return_address(&state);
		if (!ip)
			break;
		hash = (hash ^ ip) * GOLDEN_RATIO_64;
	}
	return hash;
}

static enum hrtimer_restart on_tick(struct hrtimer *t)
{
	struct pt_regs *regs = get_irq_regs();

	if (regs && !strcmp(mode, "profile-stack"))
		add_to_map(user_mode(regs) ? 1 : stack_hash(regs) | 1);
	else if (regs)
		add_to_map(instruction_pointer(regs) | 1);
	hrtimer_forward_now(t, NSEC_PER_MSEC);
	return HRTIMER_RESTART;
}

static int is(const char *what) { return !strncmp(mode, what, strlen(what)); }

static int __init floor_up(void)
{
	if (is("stat"))
		job = do_stat;
	if (is("map"))
		job = do_map;
	if (is("record"))
		job = do_record;
	ring = __vmalloc(RING + sizeof(struct record), GFP_KERNEL | __GFP_ZERO);
	if (!ring)
		return -ENOMEM;
	if (is("return")) {
		returns.kp.symbol_name = symbol;
		return register_kretprobe(&returns);
	}
	if (is("tracepoint")) {
		for_each_kernel_tracepoint(find_tracepoint, NULL);
		return sys_enter ? tracepoint_probe_register(sys_enter, on_sys_enter, NULL)
				 : -ENOENT;
	}
	if (is("profile")) {
		hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
		timer.function = on_tick;
		hrtimer_start(&timer, NSEC_PER_MSEC, HRTIMER_MODE_REL_PINNED_HARD);
		return 0;
	}
	if (strstr(mode, "kprobe")) {
		probe.symbol_name = symbol;
		return register_kprobe(&probe);
	}
	if (ftrace_set_filter(&ops, symbol, strlen(symbol), 0))
		return -ENOENT;
	return register_ftrace_function(&ops);
}

static void __exit floor_down(void)
{
	if (is("return")) {
		unregister_kretprobe(&returns);
	} else if (is("tracepoint")) {
		tracepoint_probe_unregister(sys_enter, on_sys_enter, NULL);
		tracepoint_synchronize_unregister();
	} else if (is("profile")) {
		hrtimer_cancel(&timer);
	} else if (strstr(mode, "kprobe")) {
		unregister_kprobe(&probe);
	} else {
		unregister_ftrace_function(&ops);
	}
	vfree(ring);
}

module_init(floor_up);
module_exit(floor_down);
