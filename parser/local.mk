# parser: see HACKING.md
# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libparser.a
libparser_a_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
libparser_a_SOURCES = \
	parser/ast.c parser/ast.def parser/ast.h \
	parser/ast_print.c \
	parser/ast_walk.c \
	parser/callgraph_text.c \
	parser/format.c parser/format.h \
	parser/lex.c parser/token.h \
	parser/outline.c \
	parser/parse.c parser/parse.h \
	parser/parse_decl.c \
	parser/parse_expr.c \
	parser/parse_probe.c \
	parser/parse_stopwatch.c \
	parser/parse_stmt.c \
	parser/parse_value.c \
	parser/preproc.c parser/preproc.h \
	parser/stopwatch_table.c parser/stopwatch_text.c parser/stopwatch_text.h \
	parser/preproc_cond.c \
	parser/probe_point.c parser/probe_point.h
