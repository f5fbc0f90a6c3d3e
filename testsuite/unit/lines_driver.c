/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines_driver.c - prints the source lines and inlined calls of an ELF file, as in symbol tables.
 * Built with each implementation of lines.h. Usage: lines_driver FILE...
 */
#include "runtime/core/symbol.h"
#include "symbolize/symfile.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void print(const struct wire_symtab *t)
{
	for (u32 i = 0; i < t->nlines; i++) {
		const struct wire_line *l = &symtab_lines(t)[i];

		printf("%llx %s:%u\n", l->start, l->line ? symtab_text(t, l->file) : "", l->line);
	}
	for (u32 i = 0; i < t->ninlined; i++) {
		const struct wire_inlined *c = &symtab_calls(t)[i];

		printf("%llx+%llx %s at %s:%u in %u\n", c->start, c->size, symtab_text(t, c->name),
		       symtab_text(t, c->file), c->line, c->outer);
	}
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		int fd = open(argv[i], O_RDONLY);
		u64 bytes;
		struct wire_symtab *t =
			fd < 0 ? NULL : symfile_elf(fd, "", argv[i], SYMFILE_LINES, &bytes);

		if (!t)
			return 1;
		print(t);
		free(t);
		close(fd);
	}
	return 0;
}
