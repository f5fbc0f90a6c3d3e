# symbolize: ELF images, symbol tables, DWARF lines, call frame information, JIT maps, /proc/kallsyms: for the runtimes and the reports.
# SPDX-License-Identifier: GPL-2.0-or-later
symbolize_sources = \
	symbolize/callers.c symbolize/callers.h symbolize/cfi.c symbolize/cfi.h symbolize/debug.h \
	symbolize/debug_line.h symbolize/debugfile.c symbolize/debugfile.h symbolize/elffile.c \
	symbolize/elffile.h symbolize/generated.c symbolize/generated.h symbolize/image.c symbolize/image.h symbolize/jit.c symbolize/jit.h \
	symbolize/kernel.c symbolize/kernel.h symbolize/lines.h symbolize/modules.c \
	symbolize/modules.h symbolize/process.c symbolize/process.h symbolize/reader.h \
	symbolize/symfile.c symbolize/symfile.h symbolize/table.c symbolize/table.h symbolize/unwind.c \
	symbolize/unwind.h symbolize/xz.h \
	lib/foreign.c lib/foreign.h lib/ksyms.c lib/ksyms.h lib/procstat.c lib/procstat.h
