/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_line.h - parses argv into struct options, by cli.def. */
#ifndef LAPWING_COMMAND_LINE_H
#define LAPWING_COMMAND_LINE_H

#include "translator/program/options.h"

/*
 * Parses argv (the program's name first, NULL last), after the options of the rc file. 0: continue;
 * 1: done, exit with *status (help, version, or a reported error). The struct keeps pointers into
 * argv and memory freed by command_line_clear().
 */
int command_line_parse(struct options *opt, char **argv, int *status);
void command_line_clear(struct options *opt);

#endif
