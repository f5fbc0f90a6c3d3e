/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exit_status.h - exit statuses that have a meaning of their own; doc/cli.md has the table. */
#ifndef LAPWING_LIB_EXIT_STATUS_H
#define LAPWING_LIB_EXIT_STATUS_H

enum exit_status {
	EXIT_USAGE	= 2,	/* a wrong option or argument, of a command */
	EXIT_NOT_HERE	= 4,	/* of a command: this machine or this user cannot run it */
	EXIT_NO_READER	= 141,	/* nobody reads the output: as of a program that died of SIGPIPE */
};

#endif
