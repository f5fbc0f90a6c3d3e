# testsuite: see HACKING.md
# SPDX-License-Identifier: GPL-2.0-or-later

# testsuite/check: names, types, rules
check_PROGRAMS += testsuite/unit/check_driver
testsuite_unit_check_driver_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_unit_check_driver_SOURCES = testsuite/unit/check_driver.c
testsuite_unit_check_driver_LDADD = libtranslator.a libparser.a liblapwing.a $(GLIB_LIBS)
TESTS += testsuite/check/run.sh
EXTRA_DIST += testsuite/check

# testsuite/family: probe points on kernels made of text
check_PROGRAMS += testsuite/unit/family_driver
testsuite_unit_family_driver_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_unit_family_driver_SOURCES = testsuite/unit/family_driver.c
testsuite_unit_family_driver_LDADD = libtranslator.a libparser.a liblapwing.a $(GLIB_LIBS)
TESTS += testsuite/family/check.sh
EXTRA_DIST += testsuite/family

include testsuite/parse/local.mk

# Whole pipeline: generated C against goldens, and scripts in the user runtime (also run in guests by check-kernel).
TESTS += testsuite/emit/check.sh testsuite/run-user/check.sh testsuite/cli/check.sh testsuite/cache/check.sh testsuite/doctor/check.sh
EXTRA_DIST += testsuite/emit testsuite/run-user testsuite/run-kernel testsuite/bench testsuite/cache testsuite/cli testsuite/doctor testsuite/triggers testsuite/style

# The portable core, always under ASan and UBSan.
check_PROGRAMS += testsuite/unit/core_test
testsuite_unit_core_test_CFLAGS = -std=gnu11 -g -O1 $(WARN_FLAGS) -fsanitize=address,undefined -fno-sanitize-recover=undefined
testsuite_unit_core_test_LDFLAGS = -fsanitize=address,undefined
testsuite_unit_core_test_SOURCES = testsuite/unit/core_test.c $(core_sources)
TESTS += testsuite/unit/core_test

# Kernel symbols.
check_PROGRAMS += testsuite/unit/ksyms_test
testsuite_unit_ksyms_test_CFLAGS = $(testsuite_unit_core_test_CFLAGS)
testsuite_unit_ksyms_test_LDFLAGS = -fsanitize=address,undefined
testsuite_unit_ksyms_test_SOURCES = testsuite/unit/ksyms_test.c lib/ksyms.c
TESTS += testsuite/unit/ksyms_test
