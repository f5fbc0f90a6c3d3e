/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ast_make_probe.h - constructors of probes, aliases and their points.
 */
#ifndef LAPWING_PARSER_AST_MAKE_PROBE_H
#define LAPWING_PARSER_AST_MAKE_PROBE_H

struct ast_node;
struct extent;
struct parser;
struct probe_point;
struct text;
struct token;

struct points {
	struct probe_point *at;
	unsigned	n, room;
	int		epilogue;	/* names of an alias: one has += */
};

void ast_make_probe_begin(struct parser *p);
struct ast_node *ast_make_probe(struct parser *p, const struct extent *all, struct points *points,
				struct ast_node *body);
/* comma: before the epilogue; both may be NULL. */
struct ast_node *ast_make_alias(struct parser *p, const struct extent *all, struct points *names,
				struct points *points, struct ast_node *body,
				const struct token *comma, struct ast_node *epilogue);
struct points *ast_make_alias_name(struct parser *p, struct points *name, int epilogue);
struct points *ast_make_point_list(struct parser *p, struct points *list,
				   const struct points *more);
/* mark, and condition after the word `if_`, may be NULL. */
struct points *ast_make_point(struct parser *p, const struct extent *all, struct points *sequence,
			      const struct token *mark, const struct token *if_,
			      const struct ast_node *condition);
struct points *ast_make_sequence(struct parser *p, const struct points *left,
				 const struct points *right);
/* argument may be NULL. */
struct points *ast_make_component(struct parser *p, const struct extent *all,
				  const struct extent *name, const struct text *text,
				  const struct ast_node *argument);

#endif
