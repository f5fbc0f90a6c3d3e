# translator: see HACKING.md
# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libtranslator.a
libtranslator_a_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
libtranslator_a_SOURCES = \
	translator/builtins.c translator/builtins.def \
	translator/dump.c \
	translator/format.c translator/format.h \
	translator/program.c translator/program.h \
	translator/uses.c translator/uses.h \
	translator/passes/alias.c translator/passes/capture.c \
	translator/passes/check.c translator/passes/context.c \
	translator/passes/display.c translator/passes/display.h \
	translator/passes/fold.c translator/passes/locks.c \
	translator/passes/names.c \
	translator/passes/trim.c \
	translator/passes/types.c \
	translator/passes/emit.c \
	translator/emit/assign.c translator/emit/call.c translator/emit/emit.h \
	translator/emit/expr.c translator/emit/function.c translator/emit/global.c \
	translator/emit/locals.h translator/emit/loop.c translator/emit/out.c \
	translator/emit/print.c translator/emit/probe.c translator/emit/stmt.c \
	translator/emit/table.c translator/emit/unit.c
