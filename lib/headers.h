/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * headers.h - a kernel's headers: whether modules can be built with them, and where to get them.
 */
#ifndef LAPWING_HEADERS_H
#define LAPWING_HEADERS_H

#include "lib/host.h"

/*
 * What is missing or wrong in /lib/modules/RELEASE/build; NULL: it is complete and of that kernel.
 * Caller frees.
 */
char *headers_problem(const struct host *host, const char *release);
/*
 * How to get them: the command, only if this machine's package lists have such a package, otherwise
 * what works without. Asks apt-cache, which may take half a second. Caller frees.
 */
char *headers_mend(const struct host *host, const char *release);

#endif
