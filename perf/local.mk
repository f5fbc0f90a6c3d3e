# perf: perf events and their rings, registers, records of processes: for runtime/run, runtime/user and record.
# SPDX-License-Identifier: GPL-2.0-or-later
perf_sources = \
	perf/cpu_idle.c perf/cpu_idle.h perf/perf_regs.c perf/perf_regs.h perf/perf_ring.c \
	perf/perf_ring.h perf/queue.c perf/queue.h perf/records.c perf/records.h \
	perf/spe.c perf/spe.h \
	lib/machine.c lib/machine.h
