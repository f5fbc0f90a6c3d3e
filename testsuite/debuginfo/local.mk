# testsuite/debuginfo: the BTF reader and target variables
# SPDX-License-Identifier: GPL-2.0-or-later
check_PROGRAMS += testsuite/unit/share_driver testsuite/unit/variable_driver
testsuite_unit_share_driver_SOURCES = testsuite/unit/share_driver.c
testsuite_unit_share_driver_LDADD = libtranslator.a libparser.a liblapwing.a $(GLIB_LIBS) $(DW_LIBS) $(ELF_LIBS)
check_PROGRAMS += testsuite/fuzz/btf
testsuite_unit_variable_driver_SOURCES = testsuite/unit/variable_driver.c
testsuite_unit_variable_driver_LDADD = libtranslator.a libparser.a liblapwing.a $(GLIB_LIBS) $(DW_LIBS) $(ELF_LIBS)
testsuite_fuzz_btf_CFLAGS = $(fuzz_flags)
testsuite_fuzz_btf_LDFLAGS = $(fuzz_link)
testsuite_fuzz_btf_SOURCES = testsuite/fuzz/btf.c
testsuite_fuzz_btf_LDADD = testsuite/fuzz/libstandalone.a testsuite/fuzz/libtranslator.a $(GLIB_LIBS)
TESTS += testsuite/debuginfo/check.sh testsuite/fuzz/btf
