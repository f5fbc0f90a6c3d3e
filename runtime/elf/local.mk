# runtime/elf: symbol tables of files, for lapwing-run and the user runtime.
# SPDX-License-Identifier: GPL-2.0-or-later
elf_sources = runtime/elf/callers.c runtime/elf/callers.h runtime/elf/elffile.c runtime/elf/elffile.h runtime/elf/kernel.c runtime/elf/modules.c runtime/elf/modules.h runtime/elf/debug.h runtime/elf/reader.h runtime/elf/lines.h runtime/elf/cfi.c runtime/elf/cfi.h runtime/elf/debugfile.c runtime/elf/debugfile.h runtime/elf/unwind.c runtime/elf/unwind.h \
	runtime/elf/image.c runtime/elf/image.h runtime/elf/jit.c runtime/elf/process.c runtime/elf/process.h runtime/elf/records.c runtime/elf/records.h \
	runtime/elf/symfile.c runtime/elf/symfile.h runtime/elf/table.c runtime/elf/table.h runtime/elf/xz.h lib/foreign.c lib/foreign.h lib/ksyms.c lib/ksyms.h lib/procstat.c lib/procstat.h
