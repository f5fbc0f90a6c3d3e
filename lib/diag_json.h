/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diag_json.h - messages about a script for editors: JSON on standard output, schema
 * lapwing-diagnostics/1 (doc/formats.md).
 */
#ifndef LAPWING_DIAG_JSON_H
#define LAPWING_DIAG_JSON_H

#include "lib/source.h"

struct diag_json;

/* Begins the object. diag_json_end() frees it. */
struct diag_json *diag_json_new(void);
/*
 * A message. What follows until the next one belongs to it. All texts are copied; sources must live
 * until then. loc: NULL or without a source: of no place.
 */
void diag_json_message(struct diag_json *j, int is_warning, const char *code, const char *text,
		       const struct loc *loc);
/* A further place of the message: where a type was inferred, where a macro was used. */
void diag_json_related(struct diag_json *j, const char *text, const struct loc *loc);
void diag_json_hint(struct diag_json *j, const char *text);
/* Ends the object. */
void diag_json_end(struct diag_json *j);

#endif
