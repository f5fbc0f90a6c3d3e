# tapsets: the script library, see HACKING.md
# SPDX-License-Identifier: GPL-2.0-or-later
tapsetsdir = $(pkgdatadir)/tapsets
tapsets_DATA = $(wildcard $(addprefix $(srcdir)/tapsets/*.,stp stpm))

# Aliases of system calls, from a table: a file for each of its sections.
syscall_files = files status folders owners descriptors mounts watches attributes memory processes signals time waiting network messages \
	machine others tracepoint names
syscall_aliases = $(syscall_files:%=tapsets/linux/syscalls_%.stp)
linuxdir = $(tapsetsdir)/linux
linux_DATA = $(syscall_aliases)
CLEANFILES += $(syscall_aliases)
$(syscall_aliases): tapsets/syscalls32.tbl tapsets/syscalls.tbl tapsets/syscalls.awk
	$(AM_V_GEN)$(MKDIR_P) tapsets/linux && \
		$(AWK) -v way=$(patsubst syscalls_%.stp,%,$(@F)) -f $(srcdir)/tapsets/syscalls.awk $(srcdir)/tapsets/syscalls32.tbl $(srcdir)/tapsets/syscalls.tbl > $@
