/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_line.h - parses the command line to struct options. */
#ifndef LAPWING_DRIVER_COMMAND_LINE_H
#define LAPWING_DRIVER_COMMAND_LINE_H

#include "translator/program/options.h"

/*
 * Parses argv (the program's name first). 0: continue; 1: exit with *status, after help, version or
 * an error message. The struct keeps pointers into argv and memory freed by options_clear().
 */
int command_line_parse(struct options *opt, int argc, char **argv, int *status);

#endif
