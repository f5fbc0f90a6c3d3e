/* SPDX-License-Identifier: GPL-2.0-or-later */
/* embedded.h - headers that embedded C in kernel scripts takes for granted. */
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

/*
 * kread(POINTER) is the object that it points to, in kernel memory; kderef(SIZE, POINTER) is a
 * number of that many bytes. A fault jumps to CATCH_DEREF_FAULT(), which the code has at its end
 * and which is a run-time error.
 */
#define kread(ptr) \
	({ \
		char kread_[sizeof(*(ptr))] __aligned(8); \
\
		if (copy_from_kernel_nofault(kread_, (const void *)(ptr), sizeof(kread_))) { \
			CONTEXT->fault_at = (const void *)(ptr); \
			goto deref_fault; \
		} \
		*(typeof(*(ptr)) *)kread_; \
	})
#define kderef(size, ptr) \
	({ \
		s64 kderef_ = 0; \
\
		if ((size) > sizeof(kderef_) || \
		    copy_from_kernel_nofault(&kderef_, (const void *)(ptr), (size))) { \
			CONTEXT->fault_at = (const void *)(ptr); \
			goto deref_fault; \
		} \
		kderef_; \
	})
#define CATCH_DEREF_FAULT() \
	do { \
		if (0) { \
deref_fault: __maybe_unused; \
			STAP_ERROR("kernel read fault at 0x%px", CONTEXT->fault_at); \
		} \
	} while (0)

#endif
