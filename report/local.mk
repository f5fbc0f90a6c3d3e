# report: programs that read captures, and what captures are. record/ writes them.
# SPDX-License-Identifier: GPL-2.0-or-later
noinst_LIBRARIES += libreport.a
nodist_libreport_a_SOURCES = report/capture.pb-c.c report/capture.pb-c.h
libreport_a_SOURCES = report/address.c report/address.h report/block.c report/block.h report/build_id.c report/build_id.h report/capture.c report/capture.h report/cgroup.c report/cgroup.h report/db.c report/db.h report/name_frames.c report/name_frames.h report/code.c report/code.h report/demangle.c report/demangle.h report/filter.c report/filter.h report/records.c report/records.h report/frames.c report/frames.h report/graph.c report/graph.h \
	report/heading.c report/heading.h \
	report/key.c report/key.def report/key.h report/lines.c report/lines.h report/profile.c report/profile.h report/report_main.c report/report_main.h \
	report/svg.c report/svg.h report/symbolize.c report/symbolize.h report/tally.c report/tally.h \
	runtime/core/symbol.c runtime/core/symbol.h runtime/core/fmt.c $(symbolize_sources) symbolize/lines_own.c symbolize/debug.c symbolize/debug_line.c symbolize/xz.c
report_libs = libreport.a libstore.a liblapwing.a $(SQLITE_LIBS) $(ZSTD_LIBS) $(GLIB_LIBS) $(PROTOBUF_C_LIBS) $(DW_LIBS) $(ELF_LIBS) $(CAPSTONE_LIBS) -lz -lm -ldl

bin_PROGRAMS += lapwing-report
lapwing_report_SOURCES = report/report.c report/records_table.c report/records_table.h runtime/core/hist.c
lapwing_report_LDADD = $(report_libs)

proto_files = report/capture.pb-c.c report/capture.pb-c.h report/pprof.pb-c.c report/pprof.pb-c.h
BUILT_SOURCES += $(proto_files)
CLEANFILES += $(proto_files)
report/%.pb-c.c: report/%.proto
	$(AM_V_GEN)$(MKDIR_P) report && protoc-c --proto_path=$(srcdir) --c_out=. $<
report/%.pb-c.h: report/%.pb-c.c
	@:

pkglibexec_PROGRAMS += lapwing-flame
lapwing_flame_SOURCES = report/flame.c
nodist_lapwing_flame_SOURCES = report/flame_js.h report/flame_css.h
lapwing_flame_LDADD = $(report_libs)

# Texts become C strings: flame.js is flame_js[].
BUILT_SOURCES += report/flame_js.h report/flame_css.h
CLEANFILES += report/flame_js.h report/flame_css.h
report/flame_js.h report/flame_css.h: report/flame_%.h: report/flame.%
	$(AM_V_GEN)$(MKDIR_P) report && { echo 'static const char flame_$*[] ='; sed 's/[\\"]/\\&/g; s/.*/\t"&\\n"/' $<; echo ';'; } > $@

noinst_LIBRARIES += libexport.a
libexport_a_SOURCES = report/export_chrome.c report/export_firefox.c report/export_gmon.c report/export.h report/export_json.c report/export_json.h report/export_pprof.c report/export_speedscope.c report/export_text.c
nodist_libexport_a_SOURCES = report/pprof.pb-c.c report/pprof.pb-c.h

pkglibexec_PROGRAMS += lapwing-export
lapwing_export_SOURCES = report/export.c
lapwing_export_LDADD = libexport.a $(report_libs)

pkglibexec_PROGRAMS += lapwing-callgraph
lapwing_callgraph_SOURCES = report/callgraph.c report/listing.c report/listing.h
lapwing_callgraph_LDADD = $(report_libs)

pkglibexec_PROGRAMS += lapwing-annotate
lapwing_annotate_SOURCES = report/annotate.c
lapwing_annotate_LDADD = $(report_libs)

pkglibexec_PROGRAMS += lapwing-timeline
lapwing_timeline_SOURCES = report/timeline.c
lapwing_timeline_LDADD = $(report_libs)

pkglibexec_PROGRAMS += lapwing-diff
lapwing_diff_SOURCES = report/diff.c
lapwing_diff_LDADD = $(report_libs)
