/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exits_driver.c - prints where calls of the functions of an ELF file end, for a comparison:
 * "function NAME ADDRESS SIZE", then "return ADDRESS" and "leaves ADDRESS"; or "refused NAME: why".
 * Of functions at one address only the first by name. Usage: exits_driver FILE
 */
#include "translator/debuginfo/userexits.h"

#include <stdio.h>

static void print(struct userfile *f, const struct userfile_function *function)
{
	const char *why;
	GArray *exits =
		userexits_find(f, function, (struct userexit_entry){ function->address, 0 }, &why);

	if (!exits) {
		printf("refused %s: %s\n", function->name, why);
		return;
	}
	printf("function %s %lx %lx\n", function->name, function->address, function->size);
	for (guint i = 0; i < exits->len; i++) {
		const struct userexit *e = &g_array_index(exits, struct userexit, i);

		printf("%s %lx\n", e->how == USEREXIT_RETURNS ? "return" : "leaves", e->address);
	}
	g_array_unref(exits);
}

int main(int argc, char **argv)
{
	const char *why = "usage: exits_driver FILE";
	struct userfile *f = argc == 2 ? userfile_open(argv[1], &why) : NULL;
	GArray *functions;

	if (!f) {
		fprintf(stderr, "%s\n", why);
		return 1;
	}
	functions = userfile_functions(f, "*");
	for (guint i = 0; i < functions->len; i++)
		print(f, &g_array_index(functions, struct userfile_function, i));
	g_array_unref(functions);
	userfile_close(f);
	return 0;
}
