/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outline.h - names that a source declares, without parsing it.
 */
#ifndef LAPWING_PARSER_OUTLINE_H
#define LAPWING_PARSER_OUTLINE_H

struct source;

/*
 * Names a source may declare that are not private, in either branch of its conditionals; "a.b.c"
 * for an alias.
 */
enum outline_kind { OUTLINE_FUNCTION, OUTLINE_ALIAS, OUTLINE_MACRO, OUTLINE_GLOBAL, OUTLINE_KINDS };
typedef void outline_found(enum outline_kind kind, const char *name, void *data);
void ast_outline(struct source *src, outline_found *found, void *data);

#endif
