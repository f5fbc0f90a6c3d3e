/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regex.c - regular expressions: any pattern is refused or gives automata that agree with the
 * pattern's tree.
 *
 * Input: bytes, some of which make a pattern of few letters, the others a short text. The judge is
 * slow and simple: the set of places where a match that begins at a place can end, from the tree.
 * Does the text match, where does the leftmost longest match lie?
 */
#include "runtime/rt.h"
#include "translator/regex/dfa.h"
#include "translator/regex/parse.h"
#include "translator/regex/regex.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX	10

static const char *text;
static unsigned len;		/* of text; it is len + 2 symbols */

static unsigned symbol(unsigned place)
{
	return place == 0 ? REGEX_BOL : place > len ? REGEX_EOL : (unsigned char)text[place - 1];
}

static unsigned ends(const struct regex *r, unsigned place);

static unsigned ends_of_all(const struct regex *r, unsigned places)
{
	unsigned all = 0;

	for (unsigned p = 0; p <= len + 2; p++)
		if (places & 1u << p)
			all |= ends(r, p);
	return all;
}

/* One bit per position. */
static unsigned ends(const struct regex *r, unsigned place)
{
	unsigned all = 1u << place, more;

	switch (r->kind) {
	case REGEX_EMPTY:
		return all;
	case REGEX_SET:
		return place < len + 2 && r->set[symbol(place)] ? 1u << (place + 1) : 0;
	case REGEX_CAT:
		return ends_of_all(r->right, ends(r->left, place));
	case REGEX_ALT:
		return ends(r->left, place) | ends(r->right, place);
	case REGEX_GROUP:
		return ends(r->left, place);
	case REGEX_STAR:
		while ((more = all | ends_of_all(r->left, all)) != all)
			all = more;
		return all;
	}
	abort();
}

static struct rt_dfa table(const struct dfa *d)
{
	static u8 classes[3][REGEX_SYMBOLS];
	static unsigned next;
	u8 *kept = classes[next++ % 3];

	memcpy(kept, d->classes, REGEX_SYMBOLS);
	return (struct rt_dfa){ d->nclasses, kept, (const u16 *)d->next->data, d->accepts->data };
}

static void fail(const char *pattern, const char *what)
{
	fprintf(stderr, "pattern '%s' text '%s': %s\n", pattern, text, what);
	abort();
}

static unsigned byte_at(unsigned place)
{
	return !place ? 0 : place > len ? len : place - 1;
}

static void check(const char *pattern, struct regex *r, GPtrArray *pool)
{
	static char arena[512], subject[64];
	struct dfa *find = dfa_new(regex_node(pool, REGEX_CAT, regex_anything(pool), r), 0);
	struct dfa *start = dfa_new(regex_node(pool, REGEX_CAT, r, regex_anything(pool)), 1),
		   *whole = dfa_new(r, 0);
	struct rt_ctx c = { .arena = arena,
			    .arena_size = sizeof(arena),
			    .subject = { subject, 0, sizeof(subject) } };
	struct rt_str s = { text, (u16)len };
	unsigned first = 0, all = 0;

	while (first <= len + 2 && !(all = ends(r, first)))
		first++;
	if (find && start && whole) {
		struct rt_dfa tables[] = { table(find), table(start), table(whole) };
		struct rt_regex regex = { .start = &tables[1], .whole = &tables[2], .root = -1 };

		if (rt_match(&tables[0], s) != (all != 0))
			fail(pattern, "finds another answer");
		if (rt_match_keep(&c, &regex, s) != (all != 0))
			fail(pattern, "keeps another answer");
		/* ^ before the text and the first byte are one place to begin for people */
		if (all && byte_at(c.group[0][0]) != byte_at(first))
			fail(pattern, "begins elsewhere");
		if (all && first && c.group[0][1] != 31 - __builtin_clz(all))
			fail(pattern, "ends elsewhere");
	}
	dfa_free(find);
	dfa_free(start);
	dfa_free(whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char letters[] = "abc.^$*+?()|[]-{}1,2\\ab(|*";
	char pattern[25] = "", bytes[TEXT_MAX + 1] = "";
	GPtrArray *pool = regex_pool_new();
	const char *error;
	unsigned at;
	struct regex *r;

	for (size_t i = 0; i < size && i < sizeof(pattern) - 1; i++)
		pattern[i] = letters[data[i] % (sizeof(letters) - 1)];
	for (size_t i = sizeof(pattern) - 1; i < size && i < sizeof(pattern) - 1 + TEXT_MAX; i++)
		bytes[i - (sizeof(pattern) - 1)] = 'a' + data[i] % 3;
	text = bytes;
	len = strlen(bytes);
	r = regex_parse(pattern, pool, &error, &at);
	if (r && r->size < 200)
		check(pattern, r, pool);
	regex_pool_free(pool);
	return 0;
}
