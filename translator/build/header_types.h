/* SPDX-License-Identifier: GPL-2.0-or-later */
/* header_types.h - types of C headers, for @cast(p, "type", "<sys/time.h>"). */
#ifndef LAPWING_BUILD_HEADER_TYPES_H
#define LAPWING_BUILD_HEADER_TYPES_H

/*
 * A file of the cache whose debuginfo has the types of the headers "<a.h><b/c.h>", as this machine's
 * compiler has them. NULL with *why (static): they do not compile, or there is no compiler or cache.
 * Caller frees.
 */
char *header_types(const char *headers, const char **why);

#endif
