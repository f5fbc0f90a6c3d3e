/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse.c - parses the text of a pattern to a tree.
 *
 *	alternation = sequence { '|' sequence }
 *	sequence    = { atom { '*' | '+' | '?' | '{' n [ ',' [ m ] ] '}' } }
 *	atom        = '(' [ '?:' ] alternation ')' | '[' set ']' | '.' | '^' | '$' | '\' byte | byte
 */
#include "translator/regex/parse.h"

#include "runtime/rt.h"
#include "translator/regex/regex.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_MAX_NODES	2000	/* {n,m} copies its operand */
#define NEST_MAX	50

struct reader {
	GPtrArray	*pool;
	const char	*start, *at;
	const char	*error;
	unsigned	groups, nest;
};

GPtrArray *regex_pool_new(void)
{
	return g_ptr_array_new_with_free_func(g_free);
}

void regex_pool_free(GPtrArray *pool)
{
	g_ptr_array_unref(pool);
}

struct regex *regex_node(GPtrArray *pool, enum regex_kind kind, struct regex *left,
			 struct regex *right)
{
	struct regex *r = g_new0(struct regex, 1);

	r->kind = kind;
	r->left = left;
	r->right = right;
	r->size = 1 + (left ? left->size : 0) + (right ? right->size : 0);
	r->has_groups =
		kind == REGEX_GROUP || (left && left->has_groups) || (right && right->has_groups);
	g_ptr_array_add(pool, r);
	return r;
}

struct regex *regex_anything(GPtrArray *pool)
{
	struct regex *any = regex_node(pool, REGEX_SET, NULL, NULL);

	memset(any->set, 1, sizeof(any->set));
	return regex_node(pool, REGEX_STAR, any, NULL);
}

static struct regex *fail(struct reader *r, const char *error)
{
	if (!r->error)
		r->error = error;
	return regex_node(r->pool, REGEX_EMPTY, NULL, NULL);
}

static struct regex *symbol(struct reader *r, unsigned symbol)
{
	struct regex *n = regex_node(r->pool, REGEX_SET, NULL, NULL);

	n->set[symbol] = 1;
	return n;
}

/* Parses [:name:] at r->at. */
static int named_class(struct reader *r, struct regex *set)
{
	static const struct {
		const char *name;
		int (*is)(int c);
	} classes[] = {
		{ "alpha", isalpha }, { "digit", isdigit }, { "alnum", isalnum },
		{ "upper", isupper }, { "lower", islower }, { "space", isspace },
		{ "blank", isblank }, { "punct", ispunct }, { "print", isprint },
		{ "graph", isgraph }, { "cntrl", iscntrl }, { "xdigit", isxdigit },
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(classes); i++) {
		size_t len = strlen(classes[i].name);

		if (strncmp(r->at + 2, classes[i].name, len) || strncmp(r->at + 2 + len, ":]", 2))
			continue;
		for (int c = 1; c < 128; c++)
			set->set[c] |= classes[i].is(c) != 0;
		r->at += 2 + len + 2;
		return 1;
	}
	return 0;
}

static struct regex *read_set(struct reader *r)
{
	struct regex *n = regex_node(r->pool, REGEX_SET, NULL, NULL);
	int negate = *++r->at == '^';
	const char *first = r->at += negate;

	while (*r->at && (*r->at != ']' || r->at == first)) {
		unsigned char low = *r->at, high = low;

		if (low == '[' && r->at[1] == ':') {
			if (!named_class(r, n))
				return fail(r, "unknown character class");
			continue;
		}
		r->at++;
		if (*r->at == '-' && r->at[1] && r->at[1] != ']') {
			high = r->at[1];
			r->at += 2;
		}
		if (low > high)
			return fail(r, "range out of order");
		for (unsigned c = low; c <= high; c++)
			n->set[c] = 1;
	}
	if (*r->at != ']')
		return fail(r, "unclosed character class");
	r->at++;
	for (unsigned c = 1; negate && c < 256; c++)
		n->set[c] = !n->set[c];
	return n;
}

static struct regex *alternation(struct reader *r);

static struct regex *read_group(struct reader *r)
{
	int counts = strncmp(r->at, "(?:", 3);
	unsigned group = r->groups += counts != 0;
	struct regex *n;

	if (group >= RT_GROUPS)
		return fail(r, "too many groups");
	if (++r->nest > NEST_MAX)
		return fail(r, "nested too deeply");
	r->at += counts ? 1 : 3;
	n = alternation(r);
	if (counts) {
		n = regex_node(r->pool, REGEX_GROUP, n, NULL);
		n->group = group;
	}
	r->nest--;
	if (*r->at != ')')
		return fail(r, "unclosed parenthesis");
	r->at++;
	return n;
}

static struct regex *atom(struct reader *r)
{
	struct regex *n;

	switch (*r->at) {
	case '(':
		return read_group(r);
	case '[':
		return read_set(r);
	case '^':		/* repeated anchors are equivalent to one */
		r->at += strspn(r->at, "^");
		return symbol(r, REGEX_BOL);
	case '$':
		r->at += strspn(r->at, "$");
		return symbol(r, REGEX_EOL);
	case '.':
		r->at++;
		n = regex_node(r->pool, REGEX_SET, NULL, NULL);
		memset(n->set + 1, 1, 255);
		return n;
	case '*':
	case '+':
	case '?':
	case '{':
		return fail(r, "nothing to repeat");
	case '\\':
		if (!*++r->at)
			return fail(r, "trailing backslash");
		/* fall through */
	default:
		return symbol(r, (unsigned char)*r->at++);
	}
}

/*
 * Repeats the atom min to max times, max < 0: unlimited. The copies share the atom's nodes, which
 * do not change.
 */
static struct regex *repeat(struct reader *r, struct regex *one, long min, long max)
{
	struct regex *empty = regex_node(r->pool, REGEX_EMPTY, NULL, NULL),
		     *n = max < 0 ? regex_node(r->pool, REGEX_STAR, one, NULL) : empty;

	if ((size_t)MAX(min, max) * one->size > SIZE_MAX_NODES)
		return fail(r, "too large");
	for (long i = min; i < max; i++)	/* (x(x(x)?)?)? */
		n = regex_node(r->pool, REGEX_ALT, regex_node(r->pool, REGEX_CAT, one, n), empty);
	for (long i = 0; i < min; i++)
		n = regex_node(r->pool, REGEX_CAT, one, n);
	return n;
}

/* Parses {n} {n,} {n,m}; returns nonzero if there is one. */
static int bounds(struct reader *r, long *min, long *max)
{
	char *end = (char *)r->at;

	if (*r->at != '{')
		return 0;
	*max = *min = isdigit((unsigned char)r->at[1]) ? strtol(r->at + 1, &end, 10) : 0;
	if (*end == ',') {
		*max = -1;
		end++;
		if (isdigit((unsigned char)*end))
			*max = strtol(end, &end, 10);
	}
	if (*end != '}') {
		fail(r, "expected a repetition as in {2}, {2,} or {2,5}; \\{ is the character");
		return 1;
	}
	if (*min > SIZE_MAX_NODES || *max > SIZE_MAX_NODES || (*max >= 0 && *max < *min))
		fail(r, "bad repetition bounds");
	r->at = end + 1;
	return 1;
}

static struct regex *repeated(struct reader *r)
{
	int anchor = *r->at == '^' || *r->at == '$';
	struct regex *n = atom(r);
	long min, max;

	while (!r->error) {
		if (anchor && *r->at && strchr("*+?{", *r->at))
			return fail(r, "an anchor cannot be repeated");
		if (bounds(r, &min, &max)) {
			if (!r->error)
				n = repeat(r, n, min, max);
			continue;
		}
		if (*r->at != '*' && *r->at != '+' && *r->at != '?')
			break;
		n = repeat(r, n, *r->at == '+', *r->at == '?' ? 1 : -1);
		r->at++;
	}
	return n;
}

static struct regex *sequence(struct reader *r)
{
	struct regex *n = NULL, *one;

	while (*r->at && *r->at != '|' && *r->at != ')' && !r->error) {
		one = repeated(r);
		n = n ? regex_node(r->pool, REGEX_CAT, n, one) : one;
	}
	return n ? n : regex_node(r->pool, REGEX_EMPTY, NULL, NULL);
}

static struct regex *alternation(struct reader *r)
{
	struct regex *n = sequence(r);

	while (*r->at == '|' && !r->error) {
		r->at++;
		n = regex_node(r->pool, REGEX_ALT, n, sequence(r));
	}
	return n;
}

struct regex *regex_parse(const char *pattern, GPtrArray *pool, const char **error, unsigned *at)
{
	struct reader r = { .pool = pool, .start = pattern, .at = pattern };
	struct regex *n = alternation(&r);

	if (*r.at == ')')
		fail(&r, "unmatched )");
	if (n->size > SIZE_MAX_NODES)
		fail(&r, "too large");
	*error = r.error;
	*at = r.at - pattern;
	return r.error ? NULL : n;
}
