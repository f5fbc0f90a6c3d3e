# testsuite: see HACKING.md
# SPDX-License-Identifier: GPL-2.0-or-later

# testsuite/check: names, types, rules
check_PROGRAMS += testsuite/unit/check_driver
testsuite_unit_check_driver_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_unit_check_driver_SOURCES = testsuite/unit/check_driver.c
testsuite_unit_check_driver_LDADD = libtranslator.a libparser.a liblapwing.a $(GLIB_LIBS)
TESTS += testsuite/check/run.sh
EXTRA_DIST += testsuite/check

include testsuite/parse/local.mk

# Whole pipeline: generated C against goldens, and scripts in the user runtime (also run in guests by check-kernel).
TESTS += testsuite/emit/check.sh testsuite/run-user/check.sh testsuite/cli/check.sh
EXTRA_DIST += testsuite/emit testsuite/run-user testsuite/run-kernel testsuite/cli testsuite/triggers testsuite/style
