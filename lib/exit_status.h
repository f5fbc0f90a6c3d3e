/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exit_status.h - exit statuses that have a meaning of their own; doc/cli.md has the table. */
#ifndef LAPWING_LIB_EXIT_STATUS_H
#define LAPWING_LIB_EXIT_STATUS_H

#include <errno.h>
#include <string.h>

enum exit_status {
	EXIT_USAGE	= 2,	/* a wrong option or argument, of a command */
	EXIT_NOT_HERE	= 4,	/* of a command: this machine or this user cannot run it */
	EXIT_NO_READER	= 141,	/* nobody reads the output: as of a program that died of SIGPIPE */
};

/* True if the running program was started by that name, of a symbolic link to it. */
static inline int exit_called_as(const char *name)
{
	return !strcmp(program_invocation_short_name, name);
}

/* Under the names of SystemTap's programs the status is theirs: 0 or 1. */
static inline int exit_status(int status)
{
	return exit_called_as("stap") || exit_called_as("staprun") ? status != 0 : status;
}

#endif
