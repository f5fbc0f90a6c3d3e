/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel_map_test.c - addresses of the kernel and its modules, before and after a start and as modules come and go. */
#include "watch/kernel_map.h"

#include "report/capture.h"
#include "testsuite/unit/check.h"

#include <string.h>

static GBytes *id_of(const char *module)
{
	module = module ? module : "the kernel";
	return strcmp(module, "without_id") ? g_bytes_new(module, strlen(module)) : NULL;
}

/* Functions by address, name and module, as struct ksyms has them. */
struct function { guint64 address; const char *name, *module; };

static void take(const char *modules, const struct function *functions, guint n)
{
	GString *text = g_string_new("");
	struct ksym *sym = g_new0(struct ksym, n);
	struct ksyms k = { .sym = sym, .n = n };

	g_string_append_c(text, 0);
	for (guint i = 0, module = 0; i < n; i++) {
		sym[i].address = functions[i].address;
		sym[i].name = (guint32)text->len;
		g_string_append_len(text, functions[i].name, (gssize)strlen(functions[i].name) + 1);
		if (functions[i].module && (!i || g_strcmp0(functions[i].module, functions[i - 1].module))) {
			module = (guint)text->len;
			g_string_append_len(text, functions[i].module, (gssize)strlen(functions[i].module) + 1);
		}
		sym[i].module = functions[i].module ? module : 0;
	}
	k.text = text->str;
	kernel_map_take(modules, &k, id_of);
	g_string_free(text, TRUE);
	g_free(sym);
}

/* Whether the address is so far from where that image begins; NULL: of none. */
static int is_at(guint64 address, const char *image, guint64 offset)
{
	const struct kernel_area *a = kernel_map_find(address);

	return image ? a && !strcmp(a->image.path, image) && address - a->start == offset && !*a->image.boot &&
			       a->image.kind == CAP__IMAGE__KIND__KERNEL
		     : !a;
}

static int is_ambiguous(guint64 address)
{
	const struct kernel_area *a = kernel_map_find(address);

	return a && a->image.kind == CAP__IMAGE__KIND__UNKNOWN && !a->start;
}

int main(void)
{
	static const struct function first[] = {
		{ 0xffffffff9a000000, "_stext", NULL },	{ 0xffffffff9ae00000, "_etext", NULL },
		{ 0xffffffffc0010100, "b1", "b" },	{ 0xffffffffc000f800, "a2", "a" },
		{ 0xffffffffc0008010, "a1", "a" },	{ 0xffffffffc0700000, "a_begins", "a" },
		{ 0xffffffffc0030010, "w", "without_id" }, { 0xffffffffc0020010, "c1", "c" },
		{ 0xffffffffc0013000, "bpf_prog", "bpf" },
	}, second[] = {
		{ 0xffffffff9a000000, "_stext", NULL },	{ 0xffffffff9ae00000, "_etext", NULL },
		{ 0xffffffffc0010100, "b1", "b" },	{ 0xffffffffc0040000, "c1", "c" },
		{ 0xffffffffc0020100, "d1", "d" },
	}, hidden[] = {
		{ 0, "_stext", NULL }, { 0, "_etext", NULL }, { 0, "b1", "b" }, { 0xffffffffc0050004, "e1", "e" },
	};

	/* As a kernel prints them: newest first, with users, states and taints. */
	take("b 16384 0 - Live 0xffffffffc0010000\n"
	     "a 45056 2 b,c, Live 0xffffffffc0008000\n"
	     "without_id 4096 0 - Live 0xffffffffc0030000\n"
	     "c 8192 0 - Loading 0xffffffffc0020000 (OE)\n", first, G_N_ELEMENTS(first));
	CHECK(is_at(0xffffffff9a000000, "[kernel]", 0) && is_at(0xffffffff9adfffff, "[kernel]", 0xdfffff));
	CHECK(is_at(0xffffffff9ae00000, NULL, 0) && is_at(0xffffffff99ffffff, NULL, 0) && is_at(0x401000, NULL, 0));
	/* code ends with the page of the last function: what else is below 45056 bytes is another's */
	CHECK(is_at(0xffffffffc0008010, "[a]", 0x10) && is_at(0xffffffffc000ffff, "[a]", 0x7fff));
	CHECK(is_at(0xffffffffc0010000, "[b]", 0) && is_at(0xffffffffc0010fff, "[b]", 0xfff));
	CHECK(is_at(0xffffffffc0011000, NULL, 0) && is_at(0xffffffffc0013000, NULL, 0));
	CHECK(is_at(0xffffffffc0020fff, "[c]", 0xfff) && is_at(0xffffffffc0030010, NULL, 0));
	CHECK(g_bytes_get_size(kernel_map_find(0xffffffffc0008010)->image.build_id) == 1);

	/* a is gone, which is known for one more reading; b is the same, c is elsewhere, and d where c was */
	for (int i = 0; i < 2; i++) {
		take("b 16384 7 - Live 0xffffffffc0010000\n"
		     "c 8192 0 - Live 0xffffffffc0040000\n"
		     "d 8192 0 - Live 0xffffffffc0020000\n", second, G_N_ELEMENTS(second));
		CHECK(is_at(0xffffffffc0008010, i ? NULL : "[a]", 0x10));
		CHECK(is_at(0xffffffffc0010004, "[b]", 4) && is_at(0xffffffffc0040004, "[c]", 4));
		CHECK(i ? is_at(0xffffffffc0020004, "[d]", 4) : is_ambiguous(0xffffffffc0020004));
	}

	/* Addresses are hidden, or a line is damaged. */
	for (int i = 0; i < 2; i++)
		take("b 16384 7 - Live 0x0000000000000000\nc 8192\n\nd x 0 - Live 0xffffffffc0020000\n"
		     "e 18446744073709551615 0 - Live 0xffffffffc0050000\n", hidden, G_N_ELEMENTS(hidden));
	CHECK(is_at(0, NULL, 0) && is_at(4, NULL, 0) && is_at(0xffffffffc0020004, NULL, 0) &&
	      is_at(0xffffffffc0050004, NULL, 0) && is_at(0xffffffff9a000000, NULL, 0));
	return failures != 0;
}
