/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ast_print.h - the tree as script text, and the terms for its parts in messages.
 */
#ifndef LAPWING_PARSER_AST_PRINT_H
#define LAPWING_PARSER_AST_PRINT_H

struct ast_node;

/*
 * Script text that parses to the same tree; operands fully parenthesised (stap -p1). Caller frees.
 */
char *ast_print(const struct ast_node *node);
/*
 * "identifier 'x'", "operator '+'" ...: the token text of messages and of run-time "near" texts.
 * Caller frees.
 */
char *ast_describe(const struct ast_node *node);

#endif
