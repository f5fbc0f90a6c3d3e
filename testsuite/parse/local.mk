# testsuite/parse: round trips and messages of the parser
# SPDX-License-Identifier: GPL-2.0-or-later
check_PROGRAMS += testsuite/unit/parser_driver
testsuite_unit_parser_driver_SOURCES = testsuite/unit/parser_driver.c
testsuite_unit_parser_driver_LDADD = libparser.a liblapwing.a $(GLIB_LIBS)
TESTS += testsuite/parse/check.sh
check_PROGRAMS += testsuite/unit/other_tool_test
testsuite_unit_other_tool_test_SOURCES = testsuite/unit/other_tool_test.c
testsuite_unit_other_tool_test_LDADD = libparser.a liblapwing.a $(GLIB_LIBS)
TESTS += testsuite/unit/other_tool_test
