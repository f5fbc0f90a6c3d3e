/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format.h - the directives of a printf format (as in SystemTap).
 */
#ifndef LAPWING_FORMAT_H
#define LAPWING_FORMAT_H

/*
 * The arguments of a format, as in struct rt_format: 'l' long (also for each '*'), 's' string, 'm'
 * address of memory. NULL if malformed; *bad is the reason. Caller frees (g_free).
 */
char *format_kinds(const char *text, const char **bad);

#endif
