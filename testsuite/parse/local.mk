# testsuite/parse: round trips and messages of the parser
# SPDX-License-Identifier: GPL-2.0-or-later
check_PROGRAMS += testsuite/unit/parser_driver
testsuite_unit_parser_driver_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_unit_parser_driver_SOURCES = testsuite/unit/parser_driver.c
testsuite_unit_parser_driver_LDADD = libparser.a liblapwing.a $(GLIB_LIBS)
TESTS += testsuite/parse/check.sh
