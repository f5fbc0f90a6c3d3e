/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_main.h - what the programs that show captures share: options that choose samples, one
 * capture, the exit status.
 */
#ifndef LAPWING_REPORT_MAIN_H
#define LAPWING_REPORT_MAIN_H

#include "lib/data.h"
#include "lib/option.h"
#include "report/filter.h"
#include "store/store.h"

struct program_of {
	const char	*name;		/* "lapwing report" */
	const char	*what;		/* "Shows a capture as a flat profile." */
	const struct option_row *rows;	/* besides those of report_main.c */
	void		*into;		/* the structure that they fill */
	/* the form that --json and --csv choose; NULL: it has no such options */
	enum data_form	*form;
	/*
	 * The keys of its tables (keys_parse()), which tell what is needed of a store; called when options
	 * have been read; chosen: they choose some of the samples. Caller frees. NULL: it needs all, added up.
	 */
	char		*(*keys)(int chosen);
	char		*description;	/* after the options in --help, or NULL */
	/*
	 * Called when the options have been read: 0, or -1 after option_fail(); the member may be
	 * NULL.
	 */
	int		(*check)(const char *path);
	/* returns the exit status */
	int		(*run)(struct profile *p, const struct sample_filter *filter);
	/*
	 * instead of run(), of a program that compares two captures, or times of a store: the one
	 * before and the one after
	 */
	int		(*run_pair)(struct profile *base, const struct sample_filter *of_base, struct profile *p,
				    const struct sample_filter *filter);
	/* the same for a script's records (stp()); NULL: the program shows samples alone */
	int		(*run_records)(struct profile *p);
};

/*
 * The whole program: exit status 0, 1 if the capture cannot be read (or run()'s), 2 for wrong
 * usage.
 */
int program_main(const struct program_of *of, int argc, char **argv);
/*
 * Makes samples of a script's records, if the capture has those, of the column that --stack names. 0,
 * or -1, reported.
 */
int program_samples(const char *who, struct profile *p);
/*
 * Writes all bytes to the file at path, "-" is stdout; errors are reported for `who`. An existing
 * file is written to and never replaced: it may be a device, and /dev/null must stay one. 0, or 1.
 */
int program_write(const char *who, const char *path, const char *bytes, gsize size);

#endif
