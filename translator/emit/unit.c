/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit.c - the whole generated file, in its order: header, globals, functions,
 * probes, tables.
 */
#include "translator/emit/unit.h"

#include "translator/emit/embed.h"
#include "translator/emit/emit.h"
#include "translator/emit/function.h"
#include "translator/emit/global.h"
#include "translator/emit/probe.h"
#include "translator/emit/regex.h"
#include "translator/emit/table.h"
#include "translator/program/options.h"

char *emit_unit(struct program *prog)
{
	const struct ast_node *script = g_ptr_array_index(prog->ast->files, 0);
	struct emitter e = { .prog = prog, .out = g_string_new(NULL) };

	e.format_ids = g_hash_table_new(g_str_hash, g_str_equal);
	e.near_ids = g_hash_table_new(g_str_hash, g_str_equal);
	e.regexes = g_hash_table_new(g_str_hash, g_str_equal);
	e.counts = g_hash_table_new(g_str_hash, g_str_equal);
	e.handlers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	e.formats = g_ptr_array_new_with_free_func(g_free);
	e.near = g_ptr_array_new_with_free_func(g_free);
	e.excerpts = g_ptr_array_new_with_free_func(g_free);
	e.maxstring = options_define(prog->opt, "MAXSTRINGLEN", 512);
	g_string_append_printf(e.out, "/* Made by lapwing from %s. */\n#include \"rt.h\"\n",
			       script->loc.src ? script->loc.src->name : "<input>");
	emit_embedded_texts(&e);
	emit_globals(&e);
	emit_regexes(&e);
	emit_functions(&e);
	emit_probes(&e);
	emit_tables(&e);
	g_hash_table_destroy(e.format_ids);
	g_hash_table_destroy(e.near_ids);
	g_hash_table_destroy(e.regexes);
	g_hash_table_destroy(e.counts);
	g_hash_table_destroy(e.handlers);
	g_ptr_array_free(e.formats, TRUE);
	g_ptr_array_free(e.near, TRUE);
	g_ptr_array_free(e.excerpts, TRUE);
	return g_string_free(e.out, FALSE);
}
