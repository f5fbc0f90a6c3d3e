/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * errno.h - names of error numbers. Pure.
 */
#ifndef LAPWING_CORE_ERRNO_H
#define LAPWING_CORE_ERRNO_H

#include "runtime/rt.h"

/* "ENOENT" for 2 and for -2; NULL: no such error. Static. */
const char *errno_name(s64 number);

#endif
