# stopwatch: the script that a stopwatch or profile declaration stands for; part of the parser's
# library
# SPDX-License-Identifier: GPL-2.0-or-later
libparser_a_SOURCES += \
	stopwatch/script.c \
	stopwatch/script.h \
	stopwatch/table.c stopwatch/table.h
