/* SPDX-License-Identifier: GPL-2.0-or-later */
/* commands.h - the first word of a command line: a command, which is a program of its own. */
#ifndef LAPWING_DRIVER_COMMANDS_H
#define LAPWING_DRIVER_COMMANDS_H

/*
 * Runs the command that argv[1] names, or answers `help` and `version`: does not return then.
 * Returns 0 if the line is one of a script; 1 after a message: the word is neither a command nor a
 * file, but like one.
 */
int commands_run(int argc, char **argv);

#endif
