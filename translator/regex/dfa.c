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

struct builder {
	GArray		*nfa;		/* struct nfa_state; state 0 accepts */
	int		backwards;
	struct dfa	*dfa;
	GHashTable	*ids;		/* set of states, as GBytes -> DFA state */
	GPtrArray	*sets;		/* GBytes by DFA state */
};

static int nfa_state(struct builder *b, const guint8 *set, int first, int second)
{
	struct nfa_state s = { set, { first, second } };

	g_array_append_val(b->nfa, s);
	return b->nfa->len - 1;
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

/* Adds a state and its epsilon closure. */
static void reach(const struct builder *b, guint8 *set, int state)
{
	GArray *todo = g_array_new(FALSE, FALSE, sizeof(int));

	g_array_append_val(todo, state);
	while (todo->len) {
		const struct nfa_state *s;

		state = g_array_index(todo, int, todo->len - 1);
		g_array_set_size(todo, todo->len - 1);
		if (state < 0 || set[state])
			continue;
		set[state] = 1;
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

/* The DFA state for a set of NFA states, new or known; takes ownership of set. */
static unsigned state_id(struct builder *b, guint8 *set)
{
	struct dfa *d = b->dfa;
	GBytes *key = g_bytes_new_take(set, b->nfa->len);
	gpointer known = g_hash_table_lookup(b->ids, key);
	guint8 accepts = set[0];

	if (known) {
		g_bytes_unref(key);
		return GPOINTER_TO_UINT(known) - 1;
	}
	g_hash_table_insert(b->ids, key, GUINT_TO_POINTER(d->nstates + 1));
	g_ptr_array_add(b->sets, key);
	g_byte_array_append(d->accepts, &accepts, 1);
	return d->nstates++;
}

/* Adds a state's row of transitions: the next state for each class of symbols. */
static void add_row(struct builder *b, unsigned from)
{
	const guint8 *set = g_bytes_get_data(g_ptr_array_index(b->sets, from), NULL);
	struct dfa *d = b->dfa;

	for (unsigned class = 0; class < d->nclasses; class++) {
		guint8 *to = g_malloc0(b->nfa->len);
		unsigned symbol = 0;
		guint16 id;

		while (d->classes[symbol] != class)
			symbol++;
		for (unsigned i = 0; i < b->nfa->len; i++) {
			const struct nfa_state *s = &g_array_index(b->nfa, struct nfa_state, i);

			if (set[i] && s->set && s->set[symbol])
				reach(b, to, s->out[0]);
		}
		id = state_id(b, to);
		g_array_append_val(d->next, id);
	}
}

struct dfa *dfa_new(const struct regex *regex, int backwards)
{
	struct builder b = { .backwards = backwards };
	struct dfa *d = b.dfa = g_new0(struct dfa, 1);
	guint8 *start;
	int first;

	d->next = g_array_new(FALSE, FALSE, sizeof(guint16));
	d->accepts = g_byte_array_new();
	b.nfa = g_array_new(FALSE, FALSE, sizeof(struct nfa_state));
	b.ids = g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref,
				      NULL);
	b.sets = g_ptr_array_new();
	nfa_state(&b, NULL, -1, -1);
	first = build(&b, regex, 0);
	find_classes(&b);
	state_id(&b, g_malloc0(b.nfa->len));
	start = g_malloc0(b.nfa->len);
	reach(&b, start, first);
	state_id(&b, start);
	for (unsigned i = 0; i < d->nstates && d->nstates <= STATES_MAX; i++)
		add_row(&b, i);
	g_array_free(b.nfa, TRUE);
	g_ptr_array_free(b.sets, TRUE);
	g_hash_table_destroy(b.ids);
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

/*
 * Number of parts that contain groups; too_many if an automaton that locates one has too many
 * states.
 */
static unsigned count_parts(const struct regex *r, unsigned too_many)
{
	unsigned n;

	if (!r || !r->has_groups)
		return 0;
	n = 1 + count_parts(r->left, too_many) + count_parts(r->right, too_many);
	if (r->kind != REGEX_GROUP && too_large(r->left, 0))
		return too_many;
	if ((r->kind == REGEX_CAT && too_large(r->right, 1)) ||
	    (r->kind == REGEX_STAR && too_large(r, 1)))
		return too_many;
	return n;
}

const char *regex_judge(const char *pattern, unsigned *at)
{
	GPtrArray *pool = regex_pool_new();
	const char *error;
	struct regex *r = regex_parse(pattern, pool, &error, at);

	if (r && (too_large(regex_node(pool, REGEX_CAT, regex_anything(pool), r), 0) ||
		  too_large(r, 0) ||
		  too_large(regex_node(pool, REGEX_CAT, r, regex_anything(pool)), 1) ||
		  count_parts(r, RT_REGEX_PARTS + 1) > RT_REGEX_PARTS))
		error = "too large";
	regex_pool_free(pool);
	return error;
}
