// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * counted.c - functions of known length: when MILLIONS is written to /proc/counted, counted_loop()
 * takes MILLIONS * 1,000,000 instructions, and counted_empty() is called MILLIONS times.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

noinline unsigned long counted_loop(unsigned long millions);
noinline unsigned long counted_empty(unsigned long n);

noinline unsigned long counted_loop(unsigned long millions)
{
	unsigned long i, turns;

	for (i = 0; i < millions; i++) {
		turns = 500000;
#ifdef CONFIG_ARM64
		asm volatile("1: subs %0, %0, #1\n b.ne 1b" : "+r"(turns) :: "cc");
#else
		asm volatile("1: dec %0\n jnz 1b" : "+r"(turns) :: "cc");
#endif
		cond_resched();
	}
	return i;
}

noinline unsigned long counted_empty(unsigned long n)
{
	return n;
}

static ssize_t counted_write(struct file *file, const char __user *from, size_t n, loff_t *at)
{
	unsigned long millions, i;
	int rc = kstrtoul_from_user(from, n, 10, &millions);

	if (rc)
		return rc;
	counted_loop(millions);
	for (i = 0; i < millions; i++)
		counted_empty(i);
	return (ssize_t)n;
}

static const struct proc_ops counted_ops = { .proc_write = counted_write };

static int __init counted_up(void)
{
	return proc_create("counted", 0222, NULL, &counted_ops) ? 0 : -ENOMEM;
}

static void __exit counted_down(void)
{
	remove_proc_entry("counted", NULL);
}

module_init(counted_up);
module_exit(counted_down);
MODULE_LICENSE("GPL");
