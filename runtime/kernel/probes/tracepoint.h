/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracepoint.h - a tracepoint of the kernel proper, by its name.
 */
#ifndef LAPWING_KERNEL_TRACEPOINT_H
#define LAPWING_KERNEL_TRACEPOINT_H


#endif
