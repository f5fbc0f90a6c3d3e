/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * examples.h - the example scripts that come along: examples/NAME.stp, or one folder deeper,
 * examples/SUBJECT/NAME.stp, each with a NAME.meta beside it.
 */
#ifndef LAPWING_LIB_EXAMPLES_H
#define LAPWING_LIB_EXAMPLES_H

#include <glib.h>

struct example {
	char		*name;		/* "execs" */
	char		*path;		/* of execs.stp */
	char		*meta;		/* the text of execs.meta; "" where it cannot be read */
	char		*title, *subject;	/* two of its fields; "" where they are missing */
};

/*
 * The path of an example's script, by its name (case and ".stp" do not matter). NULL: there is none
 * of that name. Caller frees.
 */
char *example_path(const char *name);
/*
 * All examples (struct example *) by subject, then name; empty where none are installed. Free with
 * g_ptr_array_unref().
 */
GPtrArray *examples_read(void);
/* The example of that name in what examples_read() gave, or NULL. */
const struct example *example_find(const GPtrArray *examples, const char *name);
/*
 * One field of a .meta text: lines "FIELD: text", continued by lines that begin with a blank, which
 * keep their newlines, without the first line's blanks. NULL: there is no such field. Caller frees.
 */
char *example_field(const char *meta, const char *field);

#endif
