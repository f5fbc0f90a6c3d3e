/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ast_walk.h - visits of a tree's nodes, in the order of evaluation.
 */
#ifndef LAPWING_PARSER_AST_WALK_H
#define LAPWING_PARSER_AST_WALK_H

struct ast_node;

/*
 * Calls visit on node and everything below it, in evaluation order; children of a node are skipped
 * when visit returns 0 for it. NULL children are not visited. slot may be assigned to replace the
 * node.
 */
typedef int ast_visitor(struct ast_node **slot, void *data);
void ast_walk(struct ast_node **slot, ast_visitor *visit, void *data);

/*
 * Calls fn on the slot of each child of node, in evaluation order, skipping NULL ones. Does not
 * descend.
 */
void ast_children(struct ast_node *node, void (*fn)(struct ast_node **slot, void *data),
		  void *data);

#endif
