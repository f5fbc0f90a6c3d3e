/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dfa_test.c - automata of patterns: their states, and the work that it takes to build them. */
#include "translator/regex/dfa.h"

#include "testsuite/unit/check.h"
#include "translator/regex/parse.h"

/* The automaton that finds the pattern anywhere in a text; *sets: nodes of its tree that read. */
static struct dfa *find(const char *pattern, GPtrArray *pool, unsigned *sets)
{
	const char *error;
	unsigned at;
	struct regex *r = regex_parse(pattern, pool, &error, &at);

	r = regex_node(pool, REGEX_CAT, regex_anything(pool), r);
	*sets = 0;
	for (unsigned i = 0; i < pool->len; i++)
		*sets += ((struct regex *)pool->pdata[i])->kind == REGEX_SET;
	return dfa_new(r, 0);
}

/* Nothing, the start, and a state for each byte that has matched. */
static void test_states(void)
{
	GPtrArray *pool = regex_pool_new();
	unsigned sets;
	struct dfa *d = find("abc", pool, &sets);

	CHECK(d && d->nstates == 5 && d->nclasses == 4 && d->next->len == 20);
	CHECK(!d->accepts->data[1] && d->accepts->data[4]);
	dfa_free(d);
	regex_pool_free(pool);
}

/* What a state reaches without reading is computed once for all transitions to it. */
static void test_work(void)
{
	GString *pattern = g_string_new("one(two|three)*");
	GPtrArray *pool = regex_pool_new();
	struct dfa *d;
	unsigned sets;

	for (int i = 0; i < 40; i++)
		g_string_append_printf(pattern, "|%d[a-z]*%d", i, i * 7);
	d = find(pattern->str, pool, &sets);
	CHECK(d && d->nstates * d->nclasses > 10 * sets);
	CHECK(d && d->closures < sets);
	dfa_free(d);
	g_string_free(pattern, TRUE);
	regex_pool_free(pool);
}

int main(void)
{
	test_states();
	test_work();
	return failures != 0;
}
