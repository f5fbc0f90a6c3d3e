/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ast_make_stopwatch.c - constructors of declarations that expand to globals and probes, which
 * stopwatch/script.c and stopwatch/callgraph.c generate as a script:
 *
 *	stopwatch POINT, ... [by KEY, ...] [with EVENT, ...] [show raw, hist, narrow, csv, json]
 *		how long calls take, and event counts in them
 *	stopwatch POINT, ... to POINT, ... by KEY, ... [show ...]
 *		the time from one to the other that has the same first key
 *	profile ["EVENT:PERIOD"] [by KEY, ...] [show csv, json]
 *		where the time goes
 *	callgraph POINT, ... [with EVENT, ...]
 *		who calls whom: for lapwing record --script
 *
 * The words are ordinary names elsewhere. lapwing -p1 prints the expansion. Input: the texts of the
 * clauses.
 */
#include "parser/ast_make_stopwatch.h"

#include "parser/ast_make.h"
#include "parser/ast_make_decl.h"
#include "parser/ast_make_probe.h"
#include "parser/grammar.h"
#include "parser/parse.h"
#include "parser/parse_message.h"
#include "parser/parser.h"
#include "parser/token.h"
#include "stopwatch/callgraph.h"
#include "stopwatch/script.h"

#include <string.h>

void ast_make_clauses_begin(struct parser *p)
{
	p->clause = parse_token(p, p->at)->type == PROFILE ? "an event" : "a probe point";
}

static const char *text_of(struct parser *p, const struct extent *part)
{
	const struct loc *first = &part->first->loc, *last = &part->last->loc;

	return ast_printf(p->ast, "%.*s", (int)(last->end - first->start),
			  first->src->text + first->start);
}

struct parts *ast_make_part(struct parser *p, struct parts *parts, const struct extent *part)
{
	if (!parts)
		parts = ast_alloc(p->ast, sizeof(*parts));
	/* it comes from a library macro */
	if (part->first->loc.src != part->last->loc.src)
		parse_error(p, &part->last->loc, D_PARSE_EXPECTED, "a clause within one file");
	else if (parts->len == PARTS_MAX)
		parse_error(p, &part->first->loc, D_PARSE_EXPECTED, "at most 64 parts in a clause");
	else
		parts->text[parts->len++] = text_of(p, part);
	return parts;
}

static void set_show(struct parser *p, struct statement *s, const struct parts *words,
		      const struct loc *at)
{
	static const struct { const char *word; enum stopwatch_form form; } forms[] = {
		{ "narrow", FORM_NARROW }, { "csv", FORM_CSV }, { "json", FORM_JSON },
	};

	for (unsigned i = 0, f; words && i < words->len; i++) {
		for (f = 0; f < G_N_ELEMENTS(forms) && strcmp(words->text[i], forms[f].word); f++)
			;
		if (f < G_N_ELEMENTS(forms))
			s->form = forms[f].form;
		else if (!strcmp(words->text[i], "raw"))
			s->raw = 1;
		else if (!strcmp(words->text[i], "hist"))
			s->hist = 1;
		else
			parse_error(p, at, D_PARSE_EXPECTED,
				    "raw, hist, narrow, csv or json after show");
	}
	if (s->hist && s->form >= FORM_CSV)
		parse_error(p, at, D_PARSE_EXPECTED,
			    "no hist: csv and json have no histograms");
}

static void set_profile_show(struct parser *p, struct statement *s, const struct parts *words)
{
	const char *word = words ? words->text[0] : NULL;

	if (!word)
		return;
	s->form = !strcmp(word, "csv") ? FORM_CSV : FORM_JSON;
	if (words->len > 1 || (s->form == FORM_JSON && strcmp(word, "json") != 0))
		parse_error(p, &parse_token(p, p->at)->loc, D_PARSE_EXPECTED,
			    "csv or json after show");
}

/*
 * Appends the declarations of a generated text, which replaces `all`, to the file.
 */
static void add_text(struct parser *p, const struct extent *all, char *text)
{
	struct parse_env library = *p->env;
	struct ast_node *made;
	struct source *source;
	struct loc *whole = ast_alloc(p->ast, sizeof(*whole));

	if (p->file->loc.src->stands_for) {
		/* an unclosed bracket has swallowed the next declaration */
		parse_error(p, &all->first->loc, D_PARSE_EXPECTED,
			    "a clause that ends before the next declaration");
		g_free(text);
		return;
	}
	library.is_tapset = 1;
	library.runtime = library.library_runtime;
	*whole = loc_join(all->first->loc, all->last->loc);
	source = source_new(all->first->text, text, strlen(text));
	source->stands_for = whole;
	made = ast_parse(p->ast, source, &library);
	g_free(text);
	if (!made) {
		p->errors++;	/* already reported */
		return;
	}
	/* its declarations move to p->file */
	g_ptr_array_remove_index(p->ast->files, p->ast->files->len - 1);
	for (unsigned i = 0; i < made->u.list.n; i++) {
		struct ast_node *n = made->u.list.at[i];

		if (n->kind == AST_GLOBAL)
			n->u.global.hidden = 1;
		ast_make_declaration(p, n);
	}
}

/* Converts the clauses; reports conflicts. */
static struct statement statement_of(struct parser *p, const struct clauses *clauses)
{
	const struct loc *at = &parse_token(p, p->at)->loc;
	struct statement s = { .points = *clauses->points };

	if (clauses->ends)
		s.ends = *clauses->ends;
	if (clauses->by)
		s.by = *clauses->by;
	if (clauses->events)
		s.events = *clauses->events;
	if (s.ends.len && !s.by.len)
		parse_error(p, at, D_PARSE_EXPECTED,
			    "by KEY: a stopwatch from one point to another "
			    "needs a key that both of them know, such as by $req");
	if (s.ends.len && s.events.len)
		parse_error(p, at, D_PARSE_EXPECTED, "no counts: they are of one thread, and a "
			    "stopwatch from one point to another takes none");
	set_show(p, &s, clauses->show, at);
	return s;
}

void ast_make_stopwatch(struct parser *p, const struct extent *all, const struct clauses *clauses)
{
	unsigned before = p->errors;
	struct statement s = statement_of(p, clauses);

	p->clause = NULL;
	for (int part = 0; p->errors == before && part < STOPWATCH_PARTS; part++) {
		unsigned floor = p->ast->floors;

		if (!stopwatch_has(&s, part))
			continue;
		p->ast->floors += 2 + s.events.len;
		p->ast->stopwatches++;
		add_text(p, all, stopwatch_text(&s, part, p->ast->stopwatches, floor));
	}
}

void ast_make_profile(struct parser *p, const struct extent *all, const struct extent *event,
		      const struct parts *by, const struct parts *show)
{
	unsigned before = p->errors;
	const char *id = ast_printf(p->ast, "%u_%u", p->ast->sources->len,
				    (unsigned)all->first->loc.start);
	struct statement s = { 0 };

	p->clause = NULL;
	if (event && (event->first != event->last || event->first->kind != TOKEN_STRING)) {
		if (!parse_other_tool(p, &all->first->loc))
			parse_error(p, &event->first->loc, D_PARSE_EXPECTED,
				    "an event in quotes, by or a declaration");
		return;
	}
	if (event)
		s.event = text_of(p, event);
	if (by)
		s.by = *by;
	set_profile_show(p, &s, show);
	if (p->errors == before)
		add_text(p, all, profile_text(&s, id));
}

/* One table has all arcs, because callers may be of any of the points. */
void ast_make_callgraph(struct parser *p, const struct extent *all, const struct parts *points,
			const struct parts *events)
{
	struct statement s = { .points = *points };
	unsigned before = p->errors;
	int prints = 1;

	p->clause = NULL;
	if (events)
		s.events = *events;
	if (p->ast->has_callgraph)
		parse_error(p, &all->first->loc, D_PARSE_EXPECTED,
			    "one callgraph in a script: it may have points of any kind, "
			    "between commas");
	p->ast->has_callgraph = 1;
	for (int of_program = 0; p->errors == before && of_program < 2; of_program++) {
		unsigned floor = p->ast->floors;

		if (!stopwatch_has(&s, of_program ? PART_PROGRAMS : PART_OTHERS))
			continue;
		p->ast->floors += 2 * (1 + s.events.len);
		p->ast->stopwatches++;
		add_text(p, all,
			 callgraph_text(&s, of_program, p->ast->stopwatches, floor, prints));
		prints = 0;
	}
}
