/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat.h - one interface for what differs between kernels. compat/has_NAME.c compiles if a kernel
 * has NAME; module.mk tries each and defines HAS_NAME. No version checks.
 */
#ifndef LAPWING_KERNEL_COMPAT_H
#define LAPWING_KERNEL_COMPAT_H

#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/fs_struct.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/namei.h>
#include <linux/preempt.h>
#include <linux/proc_fs.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/uaccess.h>

/* Defined if kCFI requires that a function called through a pointer has the caller's type. */
#define CALLS_ARE_TYPED (IS_ENABLED(CONFIG_CFI_CLANG) || IS_ENABLED(CONFIG_CFI))

#ifndef in_hardirq
#define in_hardirq() in_irq()
#endif

/* Where addresses of programs end, of 64-bit ones too; on arm64 since Linux 5.11. */
#ifndef TASK_SIZE_MAX
#define TASK_SIZE_MAX TASK_SIZE_64
#endif

/* Of plain variables, on every machine since Linux 5.11. */
#ifndef try_cmpxchg
#define try_cmpxchg(at, expected, new) \
({ \
	__typeof__(*(at)) *expected_ = (expected), old_ = *expected_; \
	*expected_ = cmpxchg(at, old_, new); \
	*expected_ == old_; \
})
#endif

/*
 * Stores the number at `from' at a kernel address, or jumps to `fault'; with page faults disabled.
 * Before Linux 5.11 some machines do this as a user access, with the address limit raised.
 */
#ifndef __put_kernel_nofault
#define __put_kernel_nofault(to, from, type, fault) \
do { \
	mm_segment_t limit_ = get_fs(); \
	int bad_; \
	set_fs(KERNEL_DS); \
	bad_ = __put_user(*(type *)(from), (type __user *)(to)); \
	set_fs(limit_); \
	if (bad_) \
		goto fault; \
} while (0)
#endif

/*
 * An irq_work that runs in hard interrupt context; and whether it is queued or running. In the
 * kernel since 5.11.
 */
#ifndef IRQ_WORK_INIT_HARD
#define IRQ_WORK_INIT_HARD(function) { .func = (function), .flags = ATOMIC_INIT(IRQ_WORK_HARD_IRQ) }
#define irq_work_is_busy(work) (atomic_read(&(work)->flags) & IRQ_WORK_BUSY)
#endif

/* The data given to proc_create_data(). */
#ifndef HAS_PDE_DATA
#define pde_data PDE_DATA
#endif

/*
 * The thread that replaces the process's leader in execve(), or NULL. The older member was also
 * used for core dumps, but an exiting thread has waited for the end of the dump.
 */
static inline const struct task_struct *exec_heir(void)
{
#ifdef HAS_GROUP_EXEC_TASK
	return current->signal->group_exec_task;
#else
	return current->signal->group_exit_task;
#endif
}

#ifndef HAS_HRTIMER_SETUP
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*fired)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = fired;
}
#endif

/*
 * Writes n bytes of text to the trace buffer, with `ip` as the caller. A kernel that computes the
 * length itself needs a NUL, which a script's strings do not have. Any context.
 */
#ifdef HAS_TRACE_PUTS_TEXT
static inline void trace_text(unsigned long ip, const char *text, u32 n)
{
	char piece[128];
	u32 size;

	for (; n; n -= size, text += size) {
		size = min_t(u32, n, sizeof(piece) - 1);
		memcpy(piece, text, size);
		piece[size] = 0;
		__trace_puts(ip, piece);
	}
}
#else
#define trace_text(ip, text, n) __trace_puts(ip, text, n)
#endif

/* Since Linux 7.3 kernel threads must name a root to look up files. */
#ifndef scoped_with_init_fs
#define scoped_with_init_fs()
#endif

/*
 * kern_path() in init's root; the caller calls path_put(). 0 or -errno. In kernel threads only: a
 * process would use its own root.
 */
static inline int init_path(const char *name, unsigned int flags, struct path *path)
{
	int rc = -ENOENT;

	scoped_with_init_fs()
		rc = kern_path(name, flags, path);
	return rc;
}

/* Per-CPU pointers have their own address space if gcc supports it. */
#define percpu_pointer_error(pointer) \
	(IS_ERR_VALUE((unsigned long)(pointer)) ? (int)(long)(unsigned long)(pointer) : 0)

/*
 * The kernel's parameters of time: nanoseconds are base + ((counter - cycles) * mult + fraction >>
 * shift). clock_follow() makes the kernel call told() now and at each change (64 to 1,000 times a
 * second, with interrupts off), until clock_unfollow(); never if unavailable.
 */
struct clock_recipe {
	u64	cycles, fraction, base;
	s64	real;			/* wall clock less monotonic clock */
	u64	mult;			/* 0: time is not derived from the counter */
	u32	shift;
};

#ifdef HAS_TIMEKEEPER
#include <linux/clocksource.h>
#include <linux/pvclock_gtod.h>
#include <linux/timekeeper_internal.h>
#include <asm/msr.h>

#define clock_counter() rdtsc_ordered()
#define CLOCK_FOLLOWER(told) \
	static int told ## _raw(struct notifier_block *n, unsigned long set, void *timekeeper) \
	{ \
		const struct timekeeper *t = timekeeper; \
		int counted = t->tkr_mono.clock->vdso_clock_mode == VDSO_CLOCKMODE_TSC; \
		struct clock_recipe r = { t->tkr_mono.cycle_last, t->tkr_mono.xtime_nsec, (u64)t->tkr_mono.base, t->offs_real, \
					  counted ? t->tkr_mono.mult : 0, t->tkr_mono.shift }; \
		told(&r); \
		return 0; \
	} \
	static struct notifier_block told ## _follower = { .notifier_call = told ## _raw }
#define clock_follow(told) ((void)pvclock_gtod_register_notifier(&told ## _follower))
#define clock_unfollow(told) pvclock_gtod_unregister_notifier(&told ## _follower)
#else
#define clock_counter() 0ULL
#define CLOCK_FOLLOWER(told) \
	static void (*const told##_follower)(const struct clock_recipe *) __maybe_unused = told
#define clock_follow(told) ((void)0)
#define clock_unfollow(told) ((void)0)
#endif

#endif
