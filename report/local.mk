# report: programs that read captures, and what captures are. record/ writes them.
# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libreport.a
libreport_a_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(PROTOBUF_C_CFLAGS) $(DW_CFLAGS)
nodist_libreport_a_SOURCES = report/capture.pb-c.c report/capture.pb-c.h
libreport_a_SOURCES = report/build_id.c report/build_id.h report/capture.c report/capture.h report/heading.c report/heading.h \
	report/key.c report/key.def report/key.h report/lines.c report/lines.h report/profile.c report/profile.h \
	report/symbolize.c report/symbolize.h report/tally.c report/tally.h \
	runtime/core/symbol.c runtime/core/symbol.h runtime/core/fmt.c $(elf_sources) runtime/elf/lines_none.c runtime/elf/xz.c
report_libs = libreport.a $(GLIB_LIBS) $(PROTOBUF_C_LIBS) $(DW_LIBS) $(ELF_LIBS) -lz -lm -ldl

bin_PROGRAMS += lapwing-report
lapwing_report_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(PROTOBUF_C_CFLAGS)
lapwing_report_SOURCES = report/report.c
lapwing_report_LDADD = $(report_libs)

EXTRA_DIST += report/capture.proto
BUILT_SOURCES += report/capture.pb-c.c report/capture.pb-c.h
CLEANFILES += report/capture.pb-c.c report/capture.pb-c.h
report/capture.pb-c.c: report/capture.proto
	$(AM_V_GEN)$(MKDIR_P) report && protoc-c --proto_path=$(srcdir) --c_out=. $(srcdir)/report/capture.proto
report/capture.pb-c.h: report/capture.pb-c.c
