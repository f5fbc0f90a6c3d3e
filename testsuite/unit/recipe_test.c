/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recipe_test.c - commands read back from kbuild's .cmd files: what becomes of known kinds of
 * build, and that whatever is not known gives no recipe (and so a build by kbuild).
 */
#include "translator/build/recipe.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int failed;
static char folder[] = "/tmp/recipe-XXXXXX";

/* "@/" is the folder. */
static void put(const char *name, const char *format)
{
	char **parts = g_strsplit(format, "@/", -1), *in_folder = g_strconcat(folder, "/", NULL),
	     *text = g_strjoinv(in_folder, parts), *path = g_build_filename(folder, name, NULL);

	if (!g_file_set_contents(path, text, -1, NULL))
		abort();
	g_free(path);
	g_free(text);
	g_free(in_folder);
	g_strfreev(parts);
}

static void clear(void)
{
	GDir *dir = g_dir_open(folder, 0, NULL);
	const char *name;

	while ((name = g_dir_read_name(dir))) {
		char *path = g_build_filename(folder, name, NULL);

		g_unlink(path);
		g_free(path);
	}
	g_dir_close(dir);
}

/*
 * Captures, prints, parses and prints again, which must give the same text; want NULL: no recipe.
 */
static void expect(const char *what, const char *want)
{
	struct recipe *r = recipe_capture(folder, "m", "/inc"), *again;
	char *text = r ? recipe_print(r) : NULL, *twice;

	if (g_strcmp0(text, want)) {
		printf("FAIL %s: recipe is\n%s", what, text ? text : "(none)\n");
		failed = 1;
	}
	again = text ? recipe_parse(text) : NULL;
	twice = again ? recipe_print(again) : NULL;
	if (g_strcmp0(text, twice)) {
		printf("FAIL %s: printed, parsed and printed again it is\n%s", what,
		       twice ? twice : "(none)\n");
		failed = 1;
	}
	g_free(twice);
	g_free(text);
	recipe_free(again);
	recipe_free(r);
}

/* Linux 6.1: objtool after each compile, one link of the parts that needs nothing else. */
static void plain_build(void)
{
	clear();
	put("runtime.o", "x");
	put("m.mod.o", "x");
	put(".script.o.cmd",
	    "cmd_@/script.o := gcc-12 -Wp,-MMD,@/.d -nostdinc -I/k/include -include /k/x.h -D__KERNEL__ -DN='\"m\"' -g -O2 "
	    "-c -o @/script.o @/script.c ; ./tools/objtool/objtool --orc --module @/script.o\n\nsource_x := y\n");
	put(".m.o.cmd", "cmd_@/m.o := ld -m elf_x86_64 -r -o @/m.o @/list \n");
	put(".m.ko.cmd", "cmd_@/m.ko := ld -r -T module.lds -o @/m.ko @/m.o @/m.mod.o;  true\n");
}

/* Files that kbuild leaves in the module's folder. */
static const char *const built[] = { "script.c", "script.o", "m.o", "m.mod", "m.ko" };

/* A build whose commands name files there. */
static void built_in_folder(void)
{
	plain_build();
	for (size_t i = 0; i < G_N_ELEMENTS(built); i++)
		put(built[i], "x");
}

static void clang_build(void)
{
	built_in_folder();
	put(".script.o.cmd", "savedcmd_@/script.o := clang-16 -Wp,-MMD,@/.d -c -o @/script.o @/script.c\n");
	put(".m.o.cmd",
	    "savedcmd_@/m.o := ld.lld-16 -r -o @/m.o @@/m.mod ; ./tools/objtool/objtool --cfi @/m.o\n");
	put(".m.ko.cmd", "savedcmd_@/m.ko := ld.lld-16 -r -o @/m.ko @/m.o @/m.mod.o\n");
	expect("6.12 by clang",
	       "object 'runtime.o'\nobject 'm.mod.o'\n"
	       "step 'clang-16' '-c' '-o' '@DIR@/script.o' '@DIR@/script.c' '-I/inc'\n"
	       "step 'ld.lld-16' '-r' '-o' '@DIR@/m.o' '@DIR@/script.o' '@KIT@/runtime.o'\n"
	       "step './tools/objtool/objtool' '--cfi' '@DIR@/m.o'\n"
	       "step 'ld.lld-16' '-r' '-o' '@DIR@/m.ko' '@DIR@/m.o' '@KIT@/m.mod.o'\n"
	       "embedded 'clang-16' '-c' '-o' '@DIR@/script.o' '@DIR@/script.c'\n");
}

int main(void)
{
	if (!g_mkdtemp(folder))
		return 2;
	plain_build();
	expect("6.1",
	       "object 'runtime.o'\nobject 'm.mod.o'\n"
	       "step 'gcc-12' '-nostdinc' '-D__KERNEL__' '-DN=\"m\"' '-O2' '-c' '-o' '@DIR@/script.o' '@DIR@/script.c' '-I/inc'\n"
	       "step './tools/objtool/objtool' '--orc' '--module' '@DIR@/script.o'\n"
	       "step 'ld' '-r' '-T' 'module.lds' '-o' '@DIR@/m.ko' '@DIR@/script.o' '@KIT@/runtime.o' '@KIT@/m.mod.o'\n"
	       "embedded 'gcc-12' '-nostdinc' '-I/k/include' '-include' '/k/x.h' '-D__KERNEL__' '-DN=\"m\"' '-g' '-O2' "
	       "'-c' '-o' '@DIR@/script.o' '@DIR@/script.c'\n");

	plain_build();
	put(".script.o.cmd",
	    "savedcmd_@/script.o :=  x86_64-linux-gnu-gcc-12 -O2 -c -o @/script.o @/script.c\n");
	put(".m.o.cmd",
	    "savedcmd_@/m.o := x86_64-linux-gnu-ld -r -o @/m.o  @/list ; ./tools/objtool/objtool --link @/m.o\n");
	put(".module-common.o", "x");
	put(".m.ko.cmd",
	    "savedcmd_@/m.ko := x86_64-linux-gnu-ld -r -o @/m.ko @/m.o @/m.mod.o @/.module-common.o\n");
	expect("6.12 with objtool at the link",
	       "object 'runtime.o'\nobject 'm.mod.o'\nobject '.module-common.o'\n"
	       "step 'x86_64-linux-gnu-gcc-12' '-O2' '-c' '-o' '@DIR@/script.o' '@DIR@/script.c' '-I/inc'\n"
	       "step 'x86_64-linux-gnu-ld' '-r' '-o' '@DIR@/m.o' '@DIR@/list'\n"
	       "step './tools/objtool/objtool' '--link' '@DIR@/m.o'\n"
	       "step 'x86_64-linux-gnu-ld' '-r' '-o' '@DIR@/m.ko' '@DIR@/m.o' '@KIT@/m.mod.o' '@KIT@/.module-common.o'\n"
	       "embedded 'x86_64-linux-gnu-gcc-12' '-O2' '-c' '-o' '@DIR@/script.o' '@DIR@/script.c'\n");

	built_in_folder();
	put(".script.o.cmd", "savedcmd_script.o := gcc-14 -Wp,-MMD,./.d -c -o script.o script.c\n");
	put(".m.o.cmd",
	    "savedcmd_m.o := ld -r -o m.o @m.mod ; /k/tools/objtool/objtool --link --module m.o\n");
	put(".m.ko.cmd", "savedcmd_m.ko := ld -r -T /k/module.lds -o m.ko m.o m.mod.o\n");
	expect("7.3, in the module's folder",
	       "object 'runtime.o'\nobject 'm.mod.o'\n"
	       "step 'gcc-14' '-c' '-o' '@DIR@/script.o' '@DIR@/script.c' '-I/inc'\n"
	       "step 'ld' '-r' '-o' '@DIR@/m.o' '@DIR@/script.o' '@KIT@/runtime.o'\n"
	       "step '/k/tools/objtool/objtool' '--link' '--module' '@DIR@/m.o'\n"
	       "step 'ld' '-r' '-T' '/k/module.lds' '-o' '@DIR@/m.ko' '@DIR@/m.o' '@KIT@/m.mod.o'\n"
	       "embedded 'gcc-14' '-c' '-o' '@DIR@/script.o' '@DIR@/script.c'\n");

	clang_build();

	plain_build();
	put(".m.ko.cmd", "cmd_x := ld -r -o @/m.ko @/m.o @/m.mod.o; sign-file @/m.ko\n");
	expect("an unknown tool", NULL);
	plain_build();
	put(".script.o.cmd", "cmd_x := gcc -O2 $(FLAGS) -c -o @/script.o @/script.c\n");
	expect("something make would expand", NULL);
	plain_build();
	put(".script.o.cmd", "cmd_x := gcc -O2 `flags` -c -o @/script.o @/script.c\n");
	expect("something the shell would expand", NULL);
	plain_build();
	put(".script.o.cmd", "cmd_x := gcc -O2 -DX='y -c -o @/script.o @/script.c\n");
	expect("a quote that is not closed", NULL);
	plain_build();
	put(".script.o.cmd", "no command at all\n");
	expect("no command", NULL);
	clear();
	expect("no files", NULL);
	if (recipe_parse("") || recipe_parse("step\n") || recipe_parse("object x\n") ||
	    recipe_parse("run 'a'\n") || recipe_parse("step 'a\n") ||
	    recipe_parse("step a\nembedded b\nembedded c\n")) {
		puts("FAIL: damaged recipes are taken");
		failed = 1;
	}
	clear();
	rmdir(folder);
	return failed;
}
