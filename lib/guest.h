/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guest.h - what this machine lacks to run guests, and the one command that mends it.
 */
#ifndef LAPWING_GUEST_H
#define LAPWING_GUEST_H

#include "lib/host.h"

/*
 * The first program or file that a guest of that architecture ("x86_64", "arm64") needs and that is
 * not here; static. NULL: they are all here (kernels are not looked at).
 */
const char *guest_lacks(const struct host *host, const char *arch);
/* The command that mends it, with the packages; static. */
const char *guest_mend(const char *arch);

#endif
