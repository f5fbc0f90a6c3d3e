/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dfa.c - compiles the tree of a regular expression to an automaton: Thompson's construction, then
 * the subset construction.
 */
#include "translator/regex/dfa.h"

#include "runtime/rt.h"
#include "translator/regex/parse.h"
#include "translator/regex/regex.h"

#include <string.h>

#define STATES_MAX	2000

/*
 * A state that reads one symbol of set and goes to out[0]; set NULL: goes to both without reading.
 */
struct nfa_state {
	const guint8	*set;
	int		out[2];		/* -1: none */
};

/* Sets of NFA states are bitmaps of `words` words. */
struct builder {
	GArray		*nfa;		/* struct nfa_state; state 0 accepts */
	int		backwards;
	unsigned	words;
	guint64		*closures;	/* by NFA state: a set, empty where none was needed */
	guint64		*readers;	/* by class: the states that read its symbols */
	struct dfa	*dfa;
	GHashTable	*ids;		/* set as GBytes -> DFA state + 1 */
	GPtrArray	*sets;		/* GBytes by DFA state */
};

static int nfa_state(struct builder *b, const guint8 *set, int first, int second)
{
	struct nfa_state s = { set, { first, second } };

	g_array_append_val(b->nfa, s);
	return b->nfa->len - 1;
}

static int has_state(const guint64 *set, int state)
{
	return set[state / 64] >> state % 64 & 1;
}

static void add_state(guint64 *set, int state)
{
	set[state / 64] |= (guint64)1 << state % 64;
}

/* The state that matches the regex and then `after`. */
static int build(struct builder *b, const struct regex *r, int after)
{
	int state;

	switch (r->kind) {
	case REGEX_EMPTY:
		return after;
	case REGEX_SET:
		return nfa_state(b, r->set, after, -1);
	case REGEX_GROUP:
		return build(b, r->left, after);
	case REGEX_CAT:
		return b->backwards ? build(b, r->right, build(b, r->left, after))
				    : build(b, r->left, build(b, r->right, after));
	case REGEX_ALT:
		return nfa_state(b, NULL, build(b, r->left, after), build(b, r->right, after));
	case REGEX_STAR:
		state = nfa_state(b, NULL, -1, after);
		after = build(b, r->left, state);
		g_array_index(b->nfa, struct nfa_state, state).out[0] = after;
		return state;
	}
	g_assert_not_reached();
}

/* Computes the epsilon closure of a state, unless it is known. */
static void find_closure(struct builder *b, int state)
{
	guint64 *set = b->closures + (size_t)state * b->words;
	GArray *todo;

	if (has_state(set, state))
		return;
	b->dfa->closures++;
	todo = g_array_new(FALSE, FALSE, sizeof(int));
	g_array_append_val(todo, state);
	while (todo->len) {
		const struct nfa_state *s;

		state = g_array_index(todo, int, todo->len - 1);
		g_array_set_size(todo, todo->len - 1);
		if (state < 0 || has_state(set, state))
			continue;
		add_state(set, state);
		s = &g_array_index(b->nfa, struct nfa_state, state);
		if (!s->set)
			g_array_append_vals(todo, s->out, 2);
	}
	g_array_free(todo, TRUE);
}

/* Splits classes: moves the symbols of set that share a class with other symbols to a new class. */
static void split_classes(struct dfa *d, const guint8 *set)
{
	unsigned outside[REGEX_SYMBOLS] = { 0 }, moved[REGEX_SYMBOLS] = { 0 };

	for (unsigned c = 0; c < REGEX_SYMBOLS; c++)
		outside[d->classes[c]] += !set[c];
	for (unsigned c = 0; c < REGEX_SYMBOLS; c++) {
		unsigned class = d->classes[c];

		if (!set[c] || !outside[class] || d->nclasses > 255)
			continue;
		if (!moved[class])
			moved[class] = d->nclasses++;
		d->classes[c] = moved[class];
	}
}

/* Symbols that no set distinguishes form one class. */
static void find_classes(struct builder *b)
{
	b->dfa->nclasses = 1;
	for (unsigned i = 0; i < b->nfa->len; i++) {
		const guint8 *set = g_array_index(b->nfa, struct nfa_state, i).set;

		if (set)
			split_classes(b->dfa, set);
	}
}

/* What the states of the NFA read and where that leads, as sets. */
static void find_moves(struct builder *b)
{
	const struct dfa *d = b->dfa;

	b->readers = g_new0(guint64, (size_t)d->nclasses * b->words);
	for (unsigned i = 0; i < b->nfa->len; i++) {
		const struct nfa_state *s = &g_array_index(b->nfa, struct nfa_state, i);

		if (!s->set)
			continue;
		find_closure(b, s->out[0]);
		for (unsigned c = 0; c < REGEX_SYMBOLS; c++)
			if (s->set[c])
				add_state(b->readers + (size_t)d->classes[c] * b->words, (int)i);
	}
}

/* g_bytes_hash() takes one byte at a time. */
static guint hash_set(gconstpointer key)
{
	gsize size;
	const guint64 *set = g_bytes_get_data((GBytes *)key, &size);
	guint64 hash = 0;

	for (gsize i = 0; i < size / sizeof(*set); i++) {
		hash = (hash ^ set[i]) * 0x9e3779b97f4a7c15;
		hash ^= hash >> 32;
	}
	return (guint)hash;
}

/* The DFA state for a set of NFA states, new or known. */
static unsigned state_id(struct builder *b, const guint64 *set)
{
	struct dfa *d = b->dfa;
	gsize size = b->words * sizeof(*set);
	GBytes *key = g_bytes_new_static(set, size);
	unsigned known = GPOINTER_TO_UINT(g_hash_table_lookup(b->ids, key));
	guint8 accepts = (guint8)has_state(set, 0);

	g_bytes_unref(key);
	if (known)
		return known - 1;
	key = g_bytes_new(set, size);
	g_hash_table_insert(b->ids, key, GUINT_TO_POINTER(d->nstates + 1));
	g_ptr_array_add(b->sets, key);
	g_byte_array_append(d->accepts, &accepts, 1);
	return d->nstates++;
}

/* Adds to set what the states of a word of a set, the first of which is `first`, go to. */
static void add_closures(const struct builder *b, guint64 *set, guint64 states, unsigned first)
{
	for (; states; states &= states - 1) {
		unsigned i = first + (unsigned)__builtin_ctzll(states);
		int to = g_array_index(b->nfa, struct nfa_state, i).out[0];

		for (unsigned w = 0; w < b->words; w++)
			set[w] |= b->closures[(size_t)to * b->words + w];
	}
}

/* Adds a state's row of transitions: the next state for each class of symbols. */
static void add_row(struct builder *b, unsigned from, guint64 *to)
{
	const guint64 *set = g_bytes_get_data(g_ptr_array_index(b->sets, from), NULL);
	struct dfa *d = b->dfa;

	for (unsigned class = 0; class < d->nclasses; class++) {
		const guint64 *readers = b->readers + (size_t)class * b->words;
		guint16 id;

		memset(to, 0, b->words * sizeof(*to));
		for (unsigned w = 0; w < b->words; w++)
			add_closures(b, to, set[w] & readers[w], 64 * w);
		id = (guint16)state_id(b, to);
		g_array_append_val(d->next, id);
	}
}

/* The subset construction; state 0 is the empty set. */
static void determinize(struct builder *b, int first)
{
	struct dfa *d = b->dfa;
	guint64 *to;

	b->words = (b->nfa->len + 63) / 64;
	b->closures = g_new0(guint64, (size_t)b->nfa->len * b->words);
	b->ids = g_hash_table_new_full(hash_set, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
	b->sets = g_ptr_array_new();
	to = g_new0(guint64, b->words);
	find_classes(b);
	find_moves(b);
	state_id(b, to);
	find_closure(b, first);
	state_id(b, b->closures + (size_t)first * b->words);
	for (unsigned i = 0; i < d->nstates && d->nstates <= STATES_MAX; i++)
		add_row(b, i, to);
	g_free(to);
	g_ptr_array_free(b->sets, TRUE);
	g_hash_table_destroy(b->ids);
	g_free(b->closures);
	g_free(b->readers);
}

struct dfa *dfa_new(const struct regex *regex, int backwards)
{
	struct builder b = { .backwards = backwards };
	struct dfa *d = b.dfa = g_new0(struct dfa, 1);

	d->next = g_array_new(FALSE, FALSE, sizeof(guint16));
	d->accepts = g_byte_array_new();
	b.nfa = g_array_new(FALSE, FALSE, sizeof(struct nfa_state));
	nfa_state(&b, NULL, -1, -1);
	determinize(&b, build(&b, regex, 0));
	g_array_free(b.nfa, TRUE);
	if (d->nstates <= STATES_MAX && d->nclasses < 256)
		return d;
	dfa_free(d);
	return NULL;
}

void dfa_free(struct dfa *d)
{
	if (!d)
		return;
	g_array_free(d->next, TRUE);
	g_byte_array_free(d->accepts, TRUE);
	g_free(d);
}

static int too_large(const struct regex *r, int backwards)
{
	struct dfa *d = dfa_new(r, backwards);

	dfa_free(d);
	return !d;
}

/* Number of parts that contain groups. */
static unsigned count_parts(const struct regex *r)
{
	return r && r->has_groups ? 1 + count_parts(r->left) + count_parts(r->right) : 0;
}

/* True if an automaton that locates a part has too many states. */
static int has_large_part(const struct regex *r)
{
	if (!r || !r->has_groups)
		return 0;
	return (r->kind != REGEX_GROUP && too_large(r->left, 0)) ||
	       (r->kind == REGEX_CAT && too_large(r->right, 1)) ||
	       (r->kind == REGEX_STAR && too_large(r, 1)) ||
	       has_large_part(r->left) || has_large_part(r->right);
}

const char *regex_judge(const char *pattern, unsigned *at)
{
	GPtrArray *pool = regex_pool_new();
	const char *error;
	struct regex *r = regex_parse(pattern, pool, &error, at);

	if (r && (count_parts(r) > RT_REGEX_PARTS ||
		  too_large(regex_node(pool, REGEX_CAT, regex_anything(pool), r), 0) ||
		  too_large(r, 0) ||
		  too_large(regex_node(pool, REGEX_CAT, r, regex_anything(pool)), 1) ||
		  has_large_part(r)))
		error = "too large";
	regex_pool_free(pool);
	return error;
}
