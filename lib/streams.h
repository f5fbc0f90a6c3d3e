/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * streams.h - the three standard streams of a program: open when it begins, written when it ends.
 */
#ifndef LAPWING_LIB_STREAMS_H
#define LAPWING_LIB_STREAMS_H

/*
 * For each program to call first; option_parse() does. A closed standard input or standard error becomes
 * /dev/null: the next file that is opened would take its place. Standard output that cannot be
 * written is reported when the program exits, whose status is then 1; when its reader has gone, the
 * status is EXIT_NO_READER, and nothing is said. who: static, for messages.
 * 0, or -1, reported: standard output is closed.
 */
int streams_begin(const char *who);

#endif
