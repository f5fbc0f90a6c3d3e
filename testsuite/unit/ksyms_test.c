/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ksyms_test.c - lib/ksyms: lookups in a made-up kallsyms, and kept tables that are old, cut off or
 * changed.
 */
#include "lib/ksyms.h"
#include "testsuite/unit/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/ksyms-XXXXXX";
static char text_path[64], list_path[64], kept_path[64];

static void put(const char *path, const char *text, size_t n)
{
	FILE *f = fopen(path, "w");

	if (!f || fwrite(text, 1, n, f) != n || fclose(f)) {
		perror(path);
		exit(2);
	}
}

static const char kallsyms[] =
	"ffffffff81000000 T _stext\n"
	"ffffffff81000040 t work\n"
	"ffffffff81000080 T alias_of_read_it\n"
	"ffffffff81000080 T read_it\n"
	"ffffffff810000c0 t work\n"
	"ffffffff82000000 D data_is_no_function\n"
	"ffffffffc0000000 t work\t[ext4]\n"
	"ffffffffc0000040 T ext4_read\t[ext4]\n"
	"ffffffffc0001000 t ours\t[lapwing_12345678]\n"
	"0000000000000000 W hidden\n"
	"no line at all\n"
	"ffffffff81000100 T last";
static const char traceable[] = "read_it\nwork\next4_read [ext4]\n";

static unsigned count(const struct ksyms *k, const char *name)
{
	const struct ksym *s = ksyms_find(k, name);
	unsigned n = 0;

	for (; s; s = ksyms_again(k, s))
		n++;
	return n;
}

static void check_table(const struct ksyms *k)
{
	const struct ksym *s = ksyms_find(k, "work");

	CHECK(k->n == 9);
	CHECK(count(k, "work") == 3 && count(k, "read_it") == 1 && count(k, "last") == 1 &&
	      count(k, "nothing") == 0);
	CHECK(count(k, "data_is_no_function") == 0 && count(k, "ours") == 0);
	CHECK(s && s->address == 0xffffffff81000040 && !s->module &&
	      s->traceable == KSYM_TRACEABLE);
	s = s ? ksyms_again(k, s) : NULL;
	CHECK(s && s->address == 0xffffffff810000c0);
	s = s ? ksyms_again(k, s) : NULL;
	CHECK(s && s->address == 0xffffffffc0000000 && !strcmp(k->text + s->module, "ext4"));
	s = ksyms_find(k, "_stext");
	CHECK(s && s->traceable == KSYM_UNTRACEABLE);
	s = ksyms_find(k, "alias_of_read_it");
	CHECK(s && s->traceable == KSYM_TRACEABLE);
	s = ksyms_find(k, "hidden");
	CHECK(s && !s->address);
}

static struct ksyms *table(uint64_t key, int with_list)
{
	return ksyms_open(
		&(struct ksyms_source){ text_path, with_list ? list_path : NULL, kept_path, key });
}

/* True if a kept table is used: the text it was made from need not exist. */
static int kept_serves(uint64_t key, int with_list)
{
	struct ksyms *k = ksyms_open(&(struct ksyms_source){
		"/nowhere/kallsyms", with_list ? list_path : NULL, kept_path, key });
	int serves = k != NULL;

	if (k && with_list)
		check_table(k);
	ksyms_close(k);
	return serves;
}

static void check_kept(void)
{
	static char bytes[1 << 20];
	struct stat st;
	size_t n;
	FILE *f;

	ksyms_close(table(7, 1));
	CHECK(kept_serves(7, 1) && kept_serves(7, 0));
	CHECK(!kept_serves(8, 1));
	f = fopen(kept_path, "r");
	n = f ? fread(bytes, 1, sizeof(bytes), f) : 0;
	CHECK(f && !fclose(f) && n > 1000 && n < sizeof(bytes));
	for (size_t at = 0; at < n; at += 1 + n / 199) {	/* one bit changed, everywhere */
		bytes[at] ^= 4;
		put(kept_path, bytes, n);
		CHECK(!kept_serves(7, 1));
		bytes[at] ^= 4;
	}
	for (size_t len = 0; len < n; len += 1 + n / 97) {	/* cut off */
		put(kept_path, bytes, len);
		CHECK(!kept_serves(7, 1));
	}
	put(kept_path, bytes, n);
	CHECK(kept_serves(7, 1));
	chmod(kept_path, 0622);
	CHECK(!kept_serves(7, 1));
	unlink(kept_path);
	CHECK(!symlink(text_path, kept_path) && !kept_serves(7, 1));
	/* a link is replaced, not followed */
	ksyms_close(table(7, 0));
	CHECK(!lstat(kept_path, &st) && S_ISREG(st.st_mode) && (st.st_mode & 0777) == 0600);
	/* the kept table has no traceability */
	CHECK(kept_serves(7, 0) && !kept_serves(7, 1));
}

/* Hidden addresses may be visible tomorrow: such a table is not kept. */
static void check_hidden(void)
{
	static const char hidden[] = "0000000000000000 T a\n0000000000000000 t b\n";
	struct ksyms *k;

	put(text_path, hidden, sizeof(hidden) - 1);
	unlink(kept_path);
	k = table(9, 0);
	CHECK(k && k->n == 2 && ksyms_find(k, "b") && access(kept_path, F_OK));
	ksyms_close(k);
}

/* Any bytes: the name of every symbol found is inside the text. */
static void check_any_bytes(void)
{
	static const char alphabet[] = "0123456789abcdef tTwWD\t[]\nxyz";
	static char text[4000];
	unsigned seed = 1;

	for (int round = 0; round < 300; round++) {
		size_t n = (size_t)rand_r(&seed) % sizeof(text);
		struct ksyms *k;

		for (size_t i = 0; i < n; i++)
			text[i] = round % 3
					  ? alphabet[(size_t)rand_r(&seed) % (sizeof(alphabet) - 1)]
					  : (char)rand_r(&seed);
		put(text_path, text, n);
		k = ksyms_open(&(struct ksyms_source){ text_path, text_path, NULL, 1 });
		for (uint32_t i = 0; k && i < k->n; i++)
			CHECK(ksyms_find(k, k->text + k->sym[i].name) != NULL);
		CHECK(k);
		ksyms_close(k);
	}
}

int main(void)
{
	struct ksyms *k;

	if (!mkdtemp(folder))
		return 2;
	snprintf(text_path, sizeof(text_path), "%s/kallsyms", folder);
	snprintf(list_path, sizeof(list_path), "%s/list", folder);
	snprintf(kept_path, sizeof(kept_path), "%s/kept", folder);
	put(text_path, kallsyms, sizeof(kallsyms) - 1);
	put(list_path, traceable, sizeof(traceable) - 1);
	k = table(7, 1);
	CHECK(k);
	if (k)
		check_table(k);
	ksyms_close(k);
	check_kept();
	check_hidden();
	CHECK(!ksyms_open(&(struct ksyms_source){ "/nowhere/kallsyms", NULL, NULL, 1 }));
	check_any_bytes();
	k = ksyms_open_running(0);
	CHECK(k && k->n > 1000);
	ksyms_close(k);
	unlink(text_path);
	unlink(list_path);
	unlink(kept_path);
	rmdir(folder);
	return failures != 0;
}
