/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse.h - parses patterns to trees.
 */
#ifndef LAPWING_REGEX_PARSE_H
#define LAPWING_REGEX_PARSE_H

#include "translator/regex/regex.h"

/*
 * Parses a pattern whose C escapes are resolved. NULL with the reason in *error and its byte offset
 * in *at. All nodes are in pool, which the caller frees with regex_pool_free().
 */
struct regex *regex_parse(const char *pattern, GPtrArray *pool, const char **error, unsigned *at);
GPtrArray *regex_pool_new(void);
void regex_pool_free(GPtrArray *pool);
struct regex *regex_node(GPtrArray *pool, enum regex_kind kind, struct regex *left,
			 struct regex *right);
/* A regex that matches any text. */
struct regex *regex_anything(GPtrArray *pool);

#endif
