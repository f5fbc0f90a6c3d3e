/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_line.h - the command line of lapwing-run: fills opt (run.h). */
#ifndef LAPWING_RUN_COMMAND_LINE_H
#define LAPWING_RUN_COMMAND_LINE_H

/* 0: run; 1: there is nothing to run, exit with *status. */
int command_line_parse(int argc, char **argv, int *status);

#endif
