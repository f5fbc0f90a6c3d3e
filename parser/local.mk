# parser: see HACKING.md
# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libparser.a
libparser_a_SOURCES = \
	parser/ast.c parser/ast.def parser/ast.h \
	parser/ast_make.c parser/ast_make.h \
	parser/ast_make_decl.c parser/ast_make_decl.h \
	parser/ast_make_expr.c parser/ast_make_expr.h \
	parser/ast_make_probe.c parser/ast_make_probe.h \
	parser/ast_make_stmt.c parser/ast_make_stmt.h \
	parser/ast_make_stopwatch.c parser/ast_make_stopwatch.h \
	parser/ast_make_value.c parser/ast_make_value.h \
	parser/ast_print.c parser/ast_print.h \
	parser/ast_walk.c parser/ast_walk.h \
	parser/format.c parser/format.h \
	parser/lex.h \
	parser/other_tool.c parser/other_tool.def parser/other_tool.h \
	parser/outline.c parser/outline.h \
	parser/parse.c parser/parse.h \
	parser/parse_message.c parser/parse_message.h \
	parser/parser.h \
	parser/preproc.c parser/preproc.h \
	parser/preproc_cond.c parser/preproc_cond.h \
	parser/probe_point.c parser/probe_point.h \
	parser/token.c parser/token.h \
	$(parser_made)

# Generated from the grammar and the scanner, and in the tarball: building it needs neither bison
# nor flex.
parser_made = parser/grammar.c parser/grammar.h parser/lex.c
BUILT_SOURCES += $(parser_made)
MAINTAINERCLEANFILES += $(parser_made)

# One run of bison writes both files; the header's rule runs it again only if the header is missing.
parser/grammar.c: parser/grammar.y
	$(AM_V_GEN)$(BISON) -Wall -Werror --no-lines --header=$(@D)/grammar.h -o $@ $<
parser/grammar.h: parser/grammar.c
	@test -f $@ || { rm -f parser/grammar.c; $(MAKE) parser/grammar.c; }
parser/lex.c: parser/lex.l
	$(AM_V_GEN)$(FLEX) --noline -o $@ $<
