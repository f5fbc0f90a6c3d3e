# runtime/doctor: lapwing-doctor, which `lapwing doctor` runs.
# SPDX-License-Identifier: GPL-2.0-or-later
bin_PROGRAMS += lapwing-doctor
lapwing_doctor_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(JSON_CFLAGS) $(ELF_CFLAGS)
lapwing_doctor_SOURCES = runtime/doctor/doctor.h runtime/doctor/findings.def runtime/doctor/kernel.c runtime/doctor/main.c \
	runtime/doctor/perf.c runtime/doctor/report.c runtime/doctor/target.c runtime/doctor/tools.c runtime/doctor/verdict.c
lapwing_doctor_LDADD = libtranslator.a libparser.a liblapwing.a $(GLIB_LIBS) $(JSON_LIBS) $(DW_LIBS) $(ELF_LIBS) -ldl
