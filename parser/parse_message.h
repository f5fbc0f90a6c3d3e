/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse_message.h - the errors that the parser reports.
 *
 * Private to parser/.
 */
#ifndef LAPWING_PARSER_PARSE_MESSAGE_H
#define LAPWING_PARSER_PARSE_MESSAGE_H

#include "lib/diag.h"

struct extent;
struct parser;

/* Reports an error, with the arguments of the code's text. */
void parse_error(struct parser *p, const struct loc *loc, enum diag_code code, ...);
/*
 * Reports that the token at p->at is not one of the n expected ones, given by their names in
 * grammar.y.
 */
void parse_unexpected(struct parser *p, const char *const *names, unsigned n);
/*
 * True if a script of bpftrace or DTrace begins at loc, where a declaration was expected: reports
 * that.
 */
int parse_other_tool(struct parser *p, const struct loc *loc);
/* Reports that the parser's stack is full. */
void parse_too_deep(struct parser *p, const struct extent *at);

#endif
