/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_main.h - shared by all programs that show a capture: the options that select samples,
 * opening the capture, the exit status.
 */
#ifndef LAPWING_REPORT_MAIN_H
#define LAPWING_REPORT_MAIN_H

#include "lib/options.h"
#include "report/sample_filter.h"

/* The options of samples.def. A program's options begin with it, as member `samples`. */
struct report_samples {
	const char	*event, *name, *phase;
	int		mode;		/* enum profile_mode, or 0: all */
};

struct report_program {
	struct option_program options;
	struct report_samples *samples;	/* the beginning of the program's options */
	/*
	 * Checks the options after they are read: 0, or -1 after reporting an error. May be NULL.
	 */
	int		(*check)(const char *path);
	/* returns the exit status */
	int		(*run)(struct profile *p, const struct sample_filter *filter);
};

/*
 * The whole program. Returns its exit status: 0, 1 if the capture cannot be read, 2 after a mistake
 * on the command line, or what run() returned.
 */
int report_main(const struct report_program *of, int argc, char **argv);
/*
 * Writes `size` bytes to the file at path ("-": stdout). An existing file is opened and truncated,
 * never replaced: /dev/null must stay a device. Returns 0, or 1 after printing an error as `who`.
 */
int report_write(const char *who, const char *path, const char *bytes, gsize size);

#endif
