/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limits.h - what the running kernel forbids this process by lockdown and sysctl, worded for
 * messages: the cause and the fix.
 *
 * libc only. Single-threaded. It tries nothing: call it after the kernel has refused.
 */
#ifndef LAPWING_LIMITS_H
#define LAPWING_LIMITS_H

/*
 * The mode of kernel lockdown, "integrity" or "confidentiality"; NULL: none, or neither securityfs
 * nor the command line shows it.
 */
const char *limits_lockdown(void);

/*
 * Why perf_event_open() fails with EACCES or EPERM. instead: what a user may do if
 * kernel.perf_event_paranoid is 2 or less, worded to follow "or". The text is valid until the next
 * call.
 */
const char *limits_perf(const char *instead);

/* Why /proc/kallsyms shows no addresses. A constant. */
const char *limits_symbols(void);

#endif
