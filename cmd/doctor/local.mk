# cmd/doctor: lapwing-doctor, which `lapwing doctor` runs.
# SPDX-License-Identifier: GPL-2.0-or-later
bin_PROGRAMS += lapwing-doctor
lapwing_doctor_SOURCES = \
	cmd/doctor/doctor.h cmd/doctor/findings.def cmd/doctor/guests.c cmd/doctor/guests.h \
	cmd/doctor/kernel.c cmd/doctor/kernels.c cmd/doctor/kernels.h cmd/doctor/main.c cmd/doctor/mend.c cmd/doctor/mend.h \
	cmd/doctor/perf.c cmd/doctor/report.c cmd/doctor/report.h \
	cmd/doctor/target.c cmd/doctor/tools.c cmd/doctor/trials.c cmd/doctor/trials.def \
	cmd/doctor/trials.h cmd/doctor/verdict.c cmd/doctor/verdict.h
lapwing_doctor_LDADD = libtranslator.a libparser.a liblapwing.a $(GLIB_LIBS) $(DW_LIBS) $(ELF_LIBS) -ldl
