# parser: see HACKING.md
# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libparser.a
libparser_a_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
libparser_a_SOURCES = \
	parser/ast.c parser/ast.def parser/ast.h \
	parser/ast_print.c \
	parser/ast_walk.c \
	parser/probe_point.c parser/probe_point.h
