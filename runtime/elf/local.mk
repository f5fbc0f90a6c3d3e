# runtime/elf: symbol tables of files, for lapwing-run and the user runtime.
# SPDX-License-Identifier: GPL-2.0-or-later
elf_sources = runtime/elf/symfile.c runtime/elf/symfile.h lib/ksyms.c lib/ksyms.h
