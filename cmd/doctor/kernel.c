/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.c - findings about the running kernel: modules, what it loads, what can be probed.
 */
#include "cmd/doctor/doctor.h"
#include "cmd/doctor/mend.h"

#include <linux/btf.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>

void find_privileges(const struct machine *m, struct finding *f)
{
	int modules = host_can(&m->host, CAP_SYS_MODULE),
	    events = host_can(&m->host, CAP_SYS_ADMIN) || host_can(&m->host, CAP_PERFMON);
	char *evidence = g_strdup_printf("%s, %s CAP_SYS_MODULE, %s CAP_PERFMON",
					 host_is_root(&m->host) ? "uid 0" : "not root",
					 modules ? "with" : "without", events ? "with" : "without");

	if (!host_is_root(&m->host))
		finding_set(f, STATE_LIMITED, evidence,
			    "without root only your own processes can be sampled", mend_rights(m));
	else if (!modules || !events)
		finding_set(
			f, STATE_LIMITED, evidence,
			"root without all capabilities, as in a container: modules or perf events are refused",
			g_strdup(
				"run it on the host, or give the container CAP_SYS_MODULE and CAP_PERFMON"));
	else
		finding_set(f, STATE_OK, evidence,
			    "you have the rights to load modules and to open perf events", NULL);
}

void find_modules(const struct machine *m, struct finding *f)
{
	if (!host_has(&m->host, "/proc/modules"))
		finding_set(f, STATE_MISSING, g_strdup("no /proc/modules"),
			    "this kernel was built without loadable modules",
			    mend_kernel(m, "MODULES"));
	else if (host_says(&m->host, "/proc/sys/kernel/modules_disabled", "1"))
		finding_set(f, STATE_MISSING, g_strdup("/proc/sys/kernel/modules_disabled: 1"),
			    "module loading was switched off; only a reboot brings it back",
			    g_strdup("reboot without kernel.modules_disabled=1"));
	else if (!host_is_root(&m->host) || !host_can(&m->host, CAP_SYS_MODULE))
		finding_set(f, STATE_LIMITED, g_strdup("/proc/modules, no CAP_SYS_MODULE"),
			    "the kernel loads modules, but none of yours", mend_rights(m));
	else
		finding_set(
			f, STATE_OK,
			g_strdup("/proc/modules, CAP_SYS_MODULE, modules_disabled is not 1; none was loaded"),
			"the kernel loads modules", NULL);
}

void find_signatures(const struct machine *m, struct finding *f)
{
	static const char path[] = "/sys/module/module/parameters/sig_enforce";

	if (!host_has(&m->host, "/proc/modules"))
		finding_set(f, STATE_UNTRIED, g_strdup("no /proc/modules"),
			    "no module is loaded here, signed or not", NULL);
	else if (host_says(&m->host, path, "Y"))
		finding_set(
			f, STATE_MISSING, g_strdup_printf("%s: Y", path),
			"the kernel takes signed modules only",
			g_strdup(
				"lapwing -p4 -m NAME, then sign NAME.ko with the kernel's scripts/sign-file and an enrolled key"));
	else
		finding_set(
			f, STATE_OK,
			g_strdup_printf("%s: %s", path, host_has(&m->host, path) ? "N" : "none"),
			"unsigned modules are taken", NULL);
}

void find_lockdown(const struct machine *m, struct finding *f)
{
	const char *mode = host_lockdown(&m->host);
	int is_seen = host_has(&m->host, "/sys/kernel/security/lockdown");

	if (mode)
		finding_set(
			f, STATE_MISSING,
			g_strdup_printf("/sys/kernel/security/lockdown: %s", mode),
			"the kernel is locked down: no unsigned modules, and under confidentiality no kernel memory is read",
			g_strdup(
				"boot without lockdown= (or with Secure Boot off), or sign modules with an enrolled key"));
	else if (!is_seen && host_says(&m->host, "/proc/filesystems", "securityfs") &&
		 !host_says(&m->host, "/proc/self/mounts", " securityfs "))
		finding_set(f, STATE_UNTRIED, g_strdup("securityfs is not mounted"),
			    "whether the kernel is locked down cannot be seen", NULL);
	else
		finding_set(f, STATE_OK,
			    g_strdup(is_seen ? "/sys/kernel/security/lockdown: none"
					     : "no /sys/kernel/security/lockdown"),
			    "not locked down", NULL);
}

void find_secure_boot(const struct machine *m, struct finding *f)
{
	static const char path[] =
		"/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";
	char *whole = g_strconcat(m->host.root, path, NULL), *bytes = NULL;
	gsize len = 0;

	/* four bytes of attributes, then the value */
	if (g_file_get_contents(whole, &bytes, &len, NULL) && len > 4 && bytes[4] == 1)
		finding_set(
			f, STATE_LIMITED, g_strdup("the EFI variable SecureBoot: 1"),
			"Secure Boot is on: distribution kernels then lock themselves down",
			g_strdup(
				"mokutil --disable-validation, or switch Secure Boot off in the firmware"));
	else if (!bytes && host_has(&m->host, "/sys/firmware/efi"))
		finding_set(f, STATE_UNTRIED, g_strdup("EFI, its variable SecureBoot is not seen"),
			    "whether Secure Boot is on cannot be seen", NULL);
	else
		finding_set(f, STATE_OK,
			    g_strdup(bytes ? "the EFI variable SecureBoot: 0"
					   : "no /sys/firmware/efi: not booted by EFI"),
			    "Secure Boot is off", NULL);
	g_free(bytes);
	g_free(whole);
}

void find_btf(const struct machine *m, struct finding *f)
{
	static const char path[] = "/sys/kernel/btf/vmlinux";
	char *whole = g_strconcat(m->host.root, path, NULL);
	unsigned short magic = 0;
	FILE *file = fopen(whole, "re");

	if (file && fread(&magic, sizeof(magic), 1, file) == 1 && magic == BTF_MAGIC)
		finding_set(f, STATE_OK, g_strdup_printf("%s begins as BTF does", path),
			    "types of the kernel are known without debuginfo", NULL);
	else
		finding_set(f, STATE_MISSING,
			    g_strdup_printf("%s %s", file ? "not BTF:" : "cannot read", path),
			    "arguments of kernel functions cannot be named",
			    mend_kernel(m, "DEBUG_INFO_BTF, as distributions have"));
	if (file)
		fclose(file);
	g_free(whole);
}

/* True if the kernel has a function of that name. */
static int has_symbol(const struct machine *m, const char *name)
{
	char *end = g_strdup_printf(" %s\n", name);
	int has = m->symbols && strstr(m->symbols, end);

	g_free(end);
	return has;
}

static const char *kprobes_missing(const struct machine *m)
{
	return has_symbol(m, "register_kprobe")		   ? "register_ftrace_function"
	       : has_symbol(m, "register_ftrace_function")
		       ? "register_kprobe"
		       : "register_kprobe, register_ftrace_function";
}

void find_kprobes(const struct machine *m, struct finding *f)
{
	int kprobes = has_symbol(m, "register_kprobe"),
	    ftrace = has_symbol(m, "register_ftrace_function");
	const char *no_loading = host_no_loading(&m->host);
	int events = m->works[TRIAL_KPROBE_EVENTS];
	char *lacks = kprobes && ftrace
			      ? g_strdup("/proc/kallsyms: register_kprobe, register_ftrace_function")
			      : g_strdup_printf("/proc/kallsyms: no %s", kprobes_missing(m));

	if ((!kprobes && !ftrace) || (no_loading && !events))
		finding_set(f, STATE_MISSING,
			    g_strdup_printf("%s; %s; kprobe_events %s", lacks,
					    no_loading ? no_loading : "modules can be loaded",
					    events ? "can be written" : "cannot be written"),
			    "kernel functions cannot be probed here",
			    kprobes && !host_is_root(&m->host)
			    ? mend_rights(m)
			    : mend_kernel(m, kprobes ? "KPROBE_EVENTS" : "KPROBES"));
	else if (!kprobes || !ftrace)
		finding_set(f, STATE_LIMITED, g_strdup(lacks),
			    kprobes ? "function entries cost several times more without ftrace"
				    : "returns and untraced functions cannot be probed",
			    mend_kernel(m, kprobes ? "FUNCTION_TRACER" : "KPROBES"));
	else if (host_says(&m->host, "/proc/sys/kernel/ftrace_enabled", "0"))
		finding_set(f, STATE_LIMITED, g_strdup("/proc/sys/kernel/ftrace_enabled: 0"),
			    "no probe at the entry of a kernel function is called",
			    g_strdup("sysctl kernel.ftrace_enabled=1"));
	else
		finding_set(f, STATE_OK,
			    g_strdup_printf("%s; %s", lacks,
					    no_loading ? "kprobe_events can be written"
						       : "modules can be loaded"),
			    "kernel functions can be probed", NULL);
	g_free(lacks);
}

void find_uprobes(const struct machine *m, struct finding *f)
{
	static const char pmu[] = "/sys/bus/event_source/devices/uprobe";

	if (m->works[TRIAL_UPROBE] && m->works[TRIAL_UPROBE_EVENTS])
		finding_set(
			f, STATE_OK,
			g_strdup("a uprobe counted a call of ours; uprobe_events can be written"),
			"functions of programs can be probed", NULL);
	else if (!host_has(&m->host, pmu))
		finding_set(f, STATE_MISSING, g_strdup_printf("no %s", pmu),
			    "functions of programs cannot be probed",
			    mend_kernel(m, "UPROBE_EVENTS"));
	else
		finding_set(f, STATE_MISSING,
			    g_strdup(m->works[TRIAL_UPROBE]
					     ? "uprobe_events of tracefs cannot be written"
					     : "a uprobe on a function of ours was refused"),
			    "functions of programs cannot be probed by you",
			    mend_rights(m));
}

void find_tracefs(const struct machine *m, struct finding *f)
{
	if (m->works[TRIAL_TRACEPOINT])
		finding_set(f, STATE_OK, g_strdup("task:task_rename counted a change of our name"),
			    "tracepoints can be listed, and probed without a module", NULL);
	else if (!host_has(&m->host, "/sys/kernel/tracing"))
		finding_set(f, STATE_LIMITED, g_strdup("no /sys/kernel/tracing"),
			    "tracepoints cannot be probed from the user runtime",
			    mend_kernel(m, "FTRACE"));
	else
		finding_set(f, STATE_LIMITED,
			    g_strdup("task:task_rename cannot be read, or be opened by perf"),
			    "tracepoints cannot be probed from the user runtime by you",
			    mend_rights(m));
}

/* True if one of the first 200 symbols has an address. */
static int shows_addresses(const struct machine *m)
{
	const char *line = m->symbols;
	int shows = 0;

	for (unsigned i = 0; i < 200 && line && !shows; i++) {
		shows = g_ascii_strtoull(line, NULL, 16) != 0;
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return shows;
}

void find_symbols(const struct machine *m, struct finding *f)
{
	char *restricted = host_read(&m->host, "/proc/sys/kernel/kptr_restrict");
	char *evidence = g_strdup_printf("/proc/sys/kernel/kptr_restrict: %s",
					 restricted ? restricted : "none");

	if (!m->symbols)
		finding_set(f, STATE_MISSING, g_strdup("no /proc/kallsyms"),
			    "kernel addresses have no names", mend_kernel(m, "KALLSYMS"));
	else if (!shows_addresses(m))
		finding_set(f, STATE_LIMITED,
			    g_strdup_printf("/proc/kallsyms: addresses are 0; %s", evidence),
			    "kernel addresses have no names",
			    host_can(&m->host, CAP_SYSLOG)
				    ? g_strdup("sysctl kernel.kptr_restrict=1")
				    : mend_rights(m));
	else
		finding_set(f, STATE_OK,
			    g_strdup_printf("/proc/kallsyms shows addresses; %s", evidence),
			    "kernel addresses get their names from /proc/kallsyms", NULL);
	g_free(evidence);
	g_free(restricted);
}
