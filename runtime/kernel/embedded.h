/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * embedded.h - for scripts with embedded C in the kernel: the headers that such code relies on.
 */
#ifndef LAPWING_EMBEDDED_H
#define LAPWING_EMBEDDED_H

#include <linux/cred.h>
#include <linux/dcache.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/uaccess.h>
#include <linux/version.h>

#include "../embed.h"

/* For an exported symbol kbuild runs genksyms, which takes all memory over a script's C. */
#undef EXPORT_SYMBOL
#undef EXPORT_SYMBOL_GPL
#define EXPORT_SYMBOL(name)	_Static_assert(0, "a script's module cannot export symbols")
#define EXPORT_SYMBOL_GPL(name)	EXPORT_SYMBOL(name)

/* What is written between %{ and %} may have variables, labels and functions that it does not use. */
#pragma GCC diagnostic warning "-Wunused-variable"
#pragma GCC diagnostic warning "-Wunused-label"
#pragma GCC diagnostic warning "-Wunused-function"
#pragma GCC diagnostic warning "-Wunused-value"
#pragma GCC diagnostic warning "-Wmissing-prototypes"

#endif
