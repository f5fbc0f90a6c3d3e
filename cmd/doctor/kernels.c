/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernels.c - the kernels that guests can have, as lapwing-vm lists them.
 */
#include "cmd/doctor/kernels.h"

#include "lib/vm.h"

#include <glib.h>
#include <string.h>

struct kernel {
	const char	*name, *release;	/* "6.12-arm64" */
	int		modules, cached;
};

/* A line of lapwing-vm list, which is changed. 0: it is none. */
static int read_line(char *line, struct kernel *k)
{
	char *words[4] = { 0 }, *save = NULL;
	unsigned n = 0;

	for (char *word = strtok_r(line, " ", &save); word && n < G_N_ELEMENTS(words);
	     word = strtok_r(NULL, " ", &save))
		words[n++] = word;
	if (n < 3)
		return 0;
	*k = (struct kernel){ words[0], words[1], !strcmp(words[2], "modules"),
			      n == 4 && !strcmp(words[3], "cached") };
	return 1;
}

static void print_kernel(const struct kernel *k)
{
	printf("%-12s %-36s %-4s %s\n", k->name, k->release, k->cached ? "yes" : "no",
	       k->modules ? "both" : "user");
}

static void write_kernel(struct data *d, const struct kernel *k)
{
	data_row(d);
	data_text(d, NULL, k->name);
	data_text(d, NULL, k->release);
	data_value(d, NULL, k->cached ? "true" : "false");
	data_value(d, NULL, k->modules ? "true" : "false");
	data_close(d);
}

int kernels_show(enum data_form form)
{
	static const char *const columns[] = { "name", "release", "cached", "modules", NULL };
	char *list = vm_list(), **lines;
	struct data d;
	int status = 0;

	if (!list)
		return 1;
	lines = g_strsplit(list, "\n", -1);
	if (form) {
		data_begin(&d, stdout, form, "lapwing-kernels/1");
		data_rows(&d, "rows", columns);
	} else {
		printf("%-12s %-36s %-4s %s\n", "kernel", "release", "here", "runtimes");
	}
	for (char **line = lines; *line; line++) {
		struct kernel k;

		if (!read_line(*line, &k))
			continue;
		if (form)
			write_kernel(&d, &k);
		else
			print_kernel(&k);
	}
	if (form) {
		data_close(&d);
		status = data_end(&d, "lapwing doctor", "stdout");
	} else {
		puts("\n--target=vm:KERNEL runs a script in a guest with that kernel, which is fetched at first use.\n"
		     "both: the kernel runtime, and with --runtime=user the user runtime; user: it alone, as the\n"
		     "archive has no headers of that kernel.");
	}
	g_strfreev(lines);
	g_free(list);
	return status;
}
