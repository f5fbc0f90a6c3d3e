/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * btf_test.c - which characters are signed, in the BTF of a kernel and of a module on top of it: as
 * marked, or, where the writer marked none, as the machine has them.
 */
#include "translator/debuginfo/btf.h"

#include "testsuite/unit/check.h"

#include <string.h>

enum { CHAR = 1, SIGNED_CHAR, UNSIGNED_CHAR, LONG, PT_REGS, MODULE_CHAR };

#define KIND(kind, n) ((guint32)(kind) << 24 | (n))
#define MARK (1u << 24)

static guint32 put_name(GString *names, const char *name)
{
	guint32 at = (guint32)names->len;

	g_string_append_len(names, name, (gssize)strlen(name) + 1);
	return at;
}

static void put_int(GArray *words, guint32 name, guint32 bytes, guint32 mark)
{
	const guint32 type[] = { name, KIND(BTF_INT, 0), bytes, mark | bytes * 8 };

	g_array_append_vals(words, type, G_N_ELEMENTS(type));
}

static struct btf *finish(GArray *words, GString *names, const struct btf *base)
{
	guint32 types = words->len * 4, strings = (guint32)names->len;
	const guint32 header[] = { 0x1eb9f, 24, 0, types, types, strings };
	gsize size = sizeof(header) + types + strings;
	char *bytes = g_malloc(size);
	const char *why;
	struct btf *btf;

	memcpy(bytes, header, sizeof(header));
	memcpy(bytes + sizeof(header), words->data, types);
	memcpy(bytes + sizeof(header) + types, names->str, strings);
	btf = btf_open(bytes, size, base, &why);
	CHECK(btf);
	g_array_free(words, TRUE);
	g_string_free(names, TRUE);
	return btf;
}

static struct btf *kernel(guint32 plain, guint32 marked, const char *member)
{
	GArray *words = g_array_new(FALSE, FALSE, 4);
	GString *names = g_string_new_len("", 1);
	guint32 regs[6] = { 0, KIND(BTF_STRUCT, 1), 8, 0, LONG, 0 };

	put_int(words, put_name(names, "char"), 1, plain);
	put_int(words, put_name(names, "signed char"), 1, marked);
	put_int(words, put_name(names, "unsigned char"), 1, 0);
	put_int(words, put_name(names, "long"), 8, MARK);
	regs[0] = put_name(names, "pt_regs");
	regs[3] = put_name(names, member);
	g_array_append_vals(words, regs, G_N_ELEMENTS(regs));
	return finish(words, names, NULL);
}

static struct btf *module(const struct btf *base)
{
	GArray *words = g_array_new(FALSE, FALSE, 4);
	GString *names = g_string_new_len("", 1);

	put_int(words, btf_strings_end(base) + put_name(names, "char"), 1, 0);
	return finish(words, names, base);
}

static void check(guint32 plain, guint32 marked, const char *member, int signed_plain,
		  int signed_module)
{
	struct btf *base = kernel(plain, marked, member), *btf = module(base);

	CHECK(btf_is_signed(base, CHAR) == signed_plain);
	CHECK(btf_is_signed(base, SIGNED_CHAR) == 1);
	CHECK(btf_is_signed(base, UNSIGNED_CHAR) == 0);
	CHECK(btf_is_signed(base, LONG) == 1);
	CHECK(btf_is_signed(btf, CHAR) == signed_plain);
	CHECK(btf_is_signed(btf, MODULE_CHAR) == signed_module);
	btf_close(btf);
	btf_close(base);
}

int main(void)
{
	check(MARK, MARK, "orig_ax", 1, 0);	/* x86-64, 6.1 */
	check(0, MARK, "orig_ax", 0, 0);	/* 6.2 and later */
	check(0, 0, "orig_ax", 1, 1);		/* x86-64, 5.10 */
	check(0, 0, "orig_x0", 0, 0);		/* arm64, 5.10 */
	return failures != 0;
}
