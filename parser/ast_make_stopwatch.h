/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ast_make_stopwatch.h - constructors of declarations that expand to globals and probes.
 */
#ifndef LAPWING_PARSER_AST_MAKE_STOPWATCH_H
#define LAPWING_PARSER_AST_MAKE_STOPWATCH_H

struct extent;
struct parser;
struct parts;

struct clauses {
	const struct parts *points;
	const struct parts *ends, *by, *events, *show;	/* NULL: no such clause */
};

void ast_make_clauses_begin(struct parser *p);
struct parts *ast_make_part(struct parser *p, struct parts *parts, const struct extent *part);
void ast_make_stopwatch(struct parser *p, const struct extent *all, const struct clauses *clauses);
/* event, by and show may be NULL. */
void ast_make_profile(struct parser *p, const struct extent *all, const struct extent *event,
		      const struct parts *by, const struct parts *show);
/* events may be NULL. */
void ast_make_callgraph(struct parser *p, const struct extent *all, const struct parts *points,
			const struct parts *events);

#endif
