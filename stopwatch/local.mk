# stopwatch: the scripts that stopwatch, profile and callgraph declarations stand for; in the parser's library
# SPDX-License-Identifier: GPL-2.0-or-later
libparser_a_SOURCES += \
	stopwatch/callgraph.c stopwatch/callgraph.h stopwatch/script.c stopwatch/script.h \
	stopwatch/table.c stopwatch/table.h
