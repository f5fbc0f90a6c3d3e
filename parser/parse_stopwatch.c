/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse_stopwatch.c - declarations that stand for globals and probes, which stopwatch_text.c and callgraph_text.c write as a script:
 *
 *	stopwatch POINT, ... [by KEY, ...] [with EVENT, ...] [show raw, hist, narrow, csv, json]	how long calls take, and what they count
 *	stopwatch POINT, ... to POINT, ... by KEY, ... [show ...]	how long it takes from one to the other that has the same first key
 *	profile ["EVENT:PERIOD"] [by KEY, ...]			where the time goes
 *	callgraph POINT, ... [with EVENT, ...]			who calls whom: for lapwing record --script
 *
 * The words are names anywhere else. lapwing -p1 prints what they stand for. Input: the token stream behind the word.
 */
#include "parser/parse.h"
#include "parser/stopwatch_text.h"

#include <string.h>

static int is_word(const struct token *t, const char *word)
{
	return t->kind == TOKEN_IDENT && !strcmp(t->text, word);
}

int parse_at_statement(struct parser *p)
{
	return is_word(parse_peek(p, 0), "stopwatch") || is_word(parse_peek(p, 0), "profile") || is_word(parse_peek(p, 0), "callgraph");
}

/* The next declaration, or the next part of this one. */
static int ends_clause(struct parser *p)
{
	const struct token *t = parse_peek(p, 0);

	if (token_is(parse_prev(p), "."))
		return 0;			/* a component of a point may be called by any of these words */
	return t->kind == TOKEN_EOF || t->kind == TOKEN_EMBED || is_word(t, "to") || is_word(t, "by") || is_word(t, "with") ||
	       is_word(t, "show") || parse_at_statement(p) || parse_at(p, "probe") || parse_at(p, "global") ||
	       parse_at(p, "function") || parse_at(p, "private");
}

static const char *text_between(struct parser *p, const struct token *first, const struct token *last)
{
	return ast_printf(p->ast, "%.*s", (int)(last->loc.end - first->loc.start), first->loc.src->text + first->loc.start);
}

/* Texts up to the end of the clause, cut at commas outside of brackets. */
static struct parts take_parts(struct parser *p, const char *what)
{
	struct parts parts = { 0 };
	unsigned depth = 0;

	do {
		const struct token *first = parse_peek(p, 0), *last = NULL;

		while ((depth || !ends_clause(p)) && parse_peek(p, 0)->kind != TOKEN_EOF && (depth || !parse_at(p, ","))) {
			last = parse_take(p);
			if (token_is(last, "(") || token_is(last, "[") || token_is(last, "{"))
				depth++;
			else if (depth && (token_is(last, ")") || token_is(last, "]") || token_is(last, "}")))
				depth--;
		}
		if (!last || first->loc.src != last->loc.src || parts.len == PARTS_MOST)
			parse_expected(p, what);
		parts.text[parts.len++] = text_between(p, first, last);
	} while (parse_accept(p, ","));
	return parts;
}

static struct parts take_clause(struct parser *p, const char *word, const char *what)
{
	if (!is_word(parse_peek(p, 0), word))
		return (struct parts){ 0 };
	parse_take(p);
	return take_parts(p, what);
}

static void take_show(struct parser *p, struct statement *s)
{
	static const struct { const char *word; enum stopwatch_form form; } forms[] = {
		{ "narrow", FORM_NARROW }, { "csv", FORM_CSV }, { "json", FORM_JSON },
	};
	struct parts words = take_clause(p, "show", "raw, hist, narrow, csv or json");

	for (unsigned i = 0, f; i < words.len; i++) {
		for (f = 0; f < G_N_ELEMENTS(forms) && strcmp(words.text[i], forms[f].word); f++)
			;
		if (f < G_N_ELEMENTS(forms))
			s->form = forms[f].form;
		else if (!strcmp(words.text[i], "raw"))
			s->raw = 1;
		else if (!strcmp(words.text[i], "hist"))
			s->hist = 1;
		else
			parse_expected(p, "raw, hist, narrow, csv or json behind show");
	}
	if (s->hist && s->form >= FORM_CSV)
		parse_expected(p, "raw behind show: csv and json have no histograms");
}

/*
 * Puts the declarations of a text, which stands for what was written from word up to here, at the end of the file. Is it fit to be read?
 */
static int add_text(struct parser *p, struct ast_node *file, const struct token *word, char *text)
{
	struct parse_env library = *p->env;
	struct ast_node *made;
	struct source *source = source_new(word->text, text, strlen(text));
	struct loc *whole = ast_alloc(p->ast, sizeof(*whole));

	library.is_tapset = 1;
	*whole = loc_join(word->loc, parse_prev(p)->loc);
	source->stands_for = whole;
	made = ast_parse(p->ast, source, &library);
	g_free(text);
	if (!made)
		return 0;
	g_ptr_array_remove_index(p->ast->files, p->ast->files->len - 1);	/* its parts go elsewhere */
	for (unsigned i = 0; i < made->u.list.n; i++) {
		struct ast_node *n = made->u.list.at[i];

		if (n->kind == AST_GLOBAL)
			n->u.global.hidden = 1;
		ast_append(p->ast, &file->u.list, n);
	}
	return 1;
}

static int stopwatch(struct parser *p, struct ast_node *file, const struct token *word)
{
	struct statement s = { 0 };
	int good = 1;

	s.points = take_parts(p, "a probe point");
	s.ends = take_clause(p, "to", "the point where the time ends");
	s.by = take_clause(p, "by", "what calls are told apart by");
	if (s.ends.len && !s.by.len)
		parse_expected(p, "by KEY: a stopwatch from one point to another wants what both of them know, such as by $req");
	if (s.ends.len && is_word(parse_peek(p, 0), "with"))
		parse_expected(p, "no counts: they are of one thread, and a stopwatch from one point to another takes none");
	s.events = take_clause(p, "with", "an event");
	take_show(p, &s);
	for (int of_program = 0; good && of_program < 2; of_program++) {
		unsigned floor = p->ast->floors;

		if (!stopwatch_has(&s, of_program))
			continue;
		p->ast->floors += 2 + s.events.len;
		p->ast->stopwatches++;
		good = add_text(p, file, word, stopwatch_text(&s, of_program, p->ast->stopwatches, floor));
	}
	return good;
}

/* One table has all arcs, as callers may be of any of the points. */
static int callgraph(struct parser *p, struct ast_node *file, const struct token *word)
{
	struct statement s = { 0 };
	int good = 1, prints = 1;

	s.points = take_parts(p, "a probe point");
	s.events = take_clause(p, "with", "an event");
	if (p->ast->has_callgraph)
		parse_expected(p, "one callgraph in a script: it may have points of any kind, between commas");
	p->ast->has_callgraph = 1;
	for (int of_program = 0; good && of_program < 2; of_program++) {
		unsigned floor = p->ast->floors;

		if (!stopwatch_has(&s, of_program))
			continue;
		p->ast->floors += 2 * (1 + s.events.len);
		p->ast->stopwatches++;
		good = add_text(p, file, word, callgraph_text(&s, of_program, p->ast->stopwatches, floor, prints));
		prints = 0;
	}
	return good;
}

static int profile(struct parser *p, struct ast_node *file, const struct token *word)
{
	const char *id = ast_printf(p->ast, "%u_%u", p->ast->sources->len, (unsigned)word->loc.start);
	const struct token *t = parse_peek(p, 0);
	struct statement s = { .event = t->kind == TOKEN_STRING ? text_between(p, t, t) : NULL };

	if (s.event)
		parse_take(p);
	s.by = take_clause(p, "by", "what samples are told apart by");
	return add_text(p, file, word, profile_text(&s, id));
}

void parse_statement(struct parser *p, struct ast_node *file)
{
	const struct token *word = parse_take(p);

	if (!(is_word(word, "stopwatch") ? stopwatch(p, file, word) : is_word(word, "callgraph") ? callgraph(p, file, word)
			: profile(p, file, word)))
		parse_leave_declaration(p);
}
