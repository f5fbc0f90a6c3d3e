/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host.h - facts about a machine from files: /proc, /sys, /lib/modules, programs. A directory tree
 * of the same shape can replace the machine.
 */
#ifndef LAPWING_HOST_H
#define LAPWING_HOST_H

struct host {
	const char	*root;		/* "" for this machine, or the folder of a tree */
};

/*
 * A file's text without trailing white space (and NULs as spaces); NULL: unreadable. Caller frees.
 */
char *host_read(const struct host *host, const char *path);
/* True if the file or directory exists. */
int host_has(const struct host *host, const char *path);
/* True if the file's text contains this; 0 if it cannot be read. */
int host_says(const struct host *host, const char *path, const char *text);
/* True if the file has this line. */
int host_lists(const struct host *host, const char *path, const char *line);
/*
 * Path of a program: from PATH, or in the tree's usual directories. NULL: not found. Caller frees.
 */
char *host_program(const struct host *host, const char *name);
/* The kernel's release. Caller frees. */
char *host_release(const struct host *host);
/* The lockdown mode, "integrity" or "confidentiality"; NULL: none. */
const char *host_lockdown(const struct host *host);
/* True if this process may load modules: it is root there. */
int host_is_root(const struct host *host);
/*
 * True if this process has a capability (CAP_... of linux/capability.h) over the whole machine, not
 * only in a user namespace.
 */
int host_can(const struct host *host, unsigned capability);
/* Why no module can be loaded here, whatever builds it; NULL: nothing is known to prevent it. */
const char *host_no_loading(const struct host *host);
/* Why no module can be built and loaded here, worded to follow "runtime user:"; NULL: it can. */
const char *host_no_modules(const struct host *host);

#endif
