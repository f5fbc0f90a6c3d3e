/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.c - findings about the running kernel: modules, what it loads, what can be probed.
 */
#include "cmd/doctor/doctor.h"

#include <string.h>

#define CAP_SYS_MODULE_BIT	16
#define CAP_SYS_ADMIN_BIT	21
#define CAP_PERFMON_BIT		38

static guint64 capabilities(const struct machine *m)
{
	char *status = host_read(&m->host, "/proc/self/status"),
	     *line = status ? strstr(status, "CapEff:") : NULL;
	guint64 set = line ? g_ascii_strtoull(line + 7, NULL, 16) : 0;

	g_free(status);
	return set;
}

void find_privileges(const struct machine *m, struct finding *f)
{
	guint64 caps = capabilities(m);
	char *evidence =
		g_strdup_printf("%s, CapEff %llx", host_is_root(&m->host) ? "uid 0" : "not root",
				(unsigned long long)caps);

	if (!host_is_root(&m->host))
		finding_set(f, STATE_LIMITED, evidence,
			    "without root only your own processes can be sampled",
			    g_strdup("sudo lapwing ..."));
	else if (!(caps >> CAP_SYS_MODULE_BIT & 1) ||
		 !(caps >> CAP_SYS_ADMIN_BIT & 1 || caps >> CAP_PERFMON_BIT & 1))
		finding_set(
			f, STATE_LIMITED, evidence,
			"root without all capabilities, as in a container: modules or perf events are refused",
			g_strdup(
				"run it on the host, or give the container CAP_SYS_MODULE and CAP_PERFMON"));
	else
		finding_set(f, STATE_OK, evidence, "everything may be loaded and probed", NULL);
}

void find_modules(const struct machine *m, struct finding *f)
{
	if (!host_has(&m->host, "/proc/modules"))
		finding_set(f, STATE_MISSING, g_strdup("no /proc/modules"),
			    "this kernel was built without loadable modules",
			    g_strdup("--runtime=user here, or --target=vm for kernel probes"));
	else if (host_says(&m->host, "/proc/sys/kernel/modules_disabled", "1"))
		finding_set(f, STATE_MISSING, g_strdup("/proc/sys/kernel/modules_disabled: 1"),
			    "module loading was switched off; only a reboot brings it back",
			    g_strdup("reboot without kernel.modules_disabled=1"));
	else
		finding_set(f, STATE_OK, g_strdup("/proc/modules"), "the kernel loads modules",
			    NULL);
}

void find_signatures(const struct machine *m, struct finding *f)
{
	static const char path[] = "/sys/module/module/parameters/sig_enforce";

	if (host_says(&m->host, path, "Y"))
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

	if (mode)
		finding_set(
			f, STATE_MISSING,
			g_strdup_printf("/sys/kernel/security/lockdown: %s", mode),
			"the kernel is locked down: no unsigned modules, and under confidentiality no kernel memory is read",
			g_strdup(
				"boot without lockdown= (or with Secure Boot off), or sign modules with an enrolled key"));
	else
		finding_set(f, STATE_OK, g_strdup("/sys/kernel/security/lockdown: none"),
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
	else
		finding_set(f, STATE_OK,
			    g_strdup(bytes ? "the EFI variable SecureBoot: 0"
					   : "no EFI variable SecureBoot"),
			    "Secure Boot is off", NULL);
	g_free(bytes);
	g_free(whole);
}

void find_btf(const struct machine *m, struct finding *f)
{
	if (host_has(&m->host, "/sys/kernel/btf/vmlinux"))
		finding_set(f, STATE_OK, g_strdup("/sys/kernel/btf/vmlinux"),
			    "types of the kernel are known without debuginfo", NULL);
	else
		finding_set(
			f, STATE_MISSING, g_strdup("no /sys/kernel/btf/vmlinux"),
			"arguments of kernel functions cannot be named",
			g_strdup("use a kernel with CONFIG_DEBUG_INFO_BTF, as distributions have"));
}

void find_kprobes(const struct machine *m, struct finding *f)
{
	int kprobes = host_says(&m->host, "/proc/kallsyms", " register_kprobe\n");
	int ftrace = host_says(&m->host, "/proc/kallsyms", " register_ftrace_function\n");

	if (!kprobes && !ftrace)
		finding_set(
			f, STATE_MISSING,
			g_strdup("/proc/kallsyms: no register_kprobe, no register_ftrace_function"),
			"kernel functions cannot be probed on this kernel",
			g_strdup("--target=vm, or a kernel with CONFIG_KPROBES"));
	else if (!kprobes || !ftrace)
		finding_set(
			f, STATE_LIMITED,
			g_strdup_printf("/proc/kallsyms: no %s",
					kprobes ? "register_ftrace_function" : "register_kprobe"),
			kprobes ? "function entries cost several times more without ftrace"
				: "returns and untraced functions cannot be probed",
			g_strdup_printf("a kernel with CONFIG_%s",
					kprobes ? "FUNCTION_TRACER" : "KPROBES"));
	else
		finding_set(f, STATE_OK,
			    g_strdup("/proc/kallsyms: register_kprobe, register_ftrace_function"),
			    "kernel functions can be probed from a module", NULL);
}

void find_uprobes(const struct machine *m, struct finding *f)
{
	if (host_has(&m->host, "/sys/bus/event_source/devices/uprobe/type"))
		finding_set(f, STATE_OK, g_strdup("/sys/bus/event_source/devices/uprobe"),
			    "functions of programs can be probed", NULL);
	else
		finding_set(f, STATE_MISSING, g_strdup("no /sys/bus/event_source/devices/uprobe"),
			    "functions of programs cannot be probed",
			    g_strdup("a kernel with CONFIG_UPROBE_EVENTS"));
}

void find_tracefs(const struct machine *m, struct finding *f)
{
	static const char *const places[] = { "/sys/kernel/tracing/events",
					      "/sys/kernel/debug/tracing/events" };

	for (unsigned i = 0; i < G_N_ELEMENTS(places); i++)
		if (host_has(&m->host, places[i])) {
			finding_set(f, STATE_OK, g_strdup(places[i]),
				    "tracepoints can be listed, and probed without a module", NULL);
			return;
		}
	if (host_is_root(&m->host) && host_has(&m->host, "/sys/kernel/tracing"))
		finding_set(f, STATE_OK, g_strdup("/sys/kernel/tracing, mounted when it is needed"),
			    "tracepoints can be listed, and probed without a module", NULL);
	else if (!host_has(&m->host, "/sys/kernel/tracing"))
		finding_set(f, STATE_LIMITED, g_strdup("no /sys/kernel/tracing/events"),
			    "tracepoints cannot be probed from the user runtime",
			    g_strdup("mount -t tracefs tracefs /sys/kernel/tracing"));
	else				/* mounted or not: only root can see that */
		finding_set(
			f, STATE_LIMITED, g_strdup("/sys/kernel/tracing is root's"),
			"tracepoints and functions cannot be probed from the user runtime by this user",
			g_strdup("sudo lapwing ..."));
}

/* True if one of the first 200 symbols has an address. */
static int shows_addresses(const struct machine *m)
{
	char *text = host_read(&m->host, "/proc/kallsyms"),
	     **lines = text ? g_strsplit(text, "\n", 200) : NULL;
	int shows = 0;

	for (char **l = lines; l && *l && l[1] && !shows; l++)
		shows = g_ascii_strtoull(*l, NULL, 16) != 0;
	g_strfreev(lines);
	g_free(text);
	return shows;
}

void find_symbols(const struct machine *m, struct finding *f)
{
	char *restricted = host_read(&m->host, "/proc/sys/kernel/kptr_restrict");
	char *evidence = g_strdup_printf("/proc/sys/kernel/kptr_restrict: %s",
					 restricted ? restricted : "none");

	if (!host_has(&m->host, "/proc/kallsyms"))
		finding_set(f, STATE_MISSING, g_strdup("no /proc/kallsyms"),
			    "kernel addresses have no names",
			    g_strdup("a kernel with CONFIG_KALLSYMS"));
	else if (!shows_addresses(m))
		finding_set(f, STATE_LIMITED,
			    g_strdup_printf("/proc/kallsyms: addresses are 0; %s", evidence),
			    "kernel addresses have no names",
			    g_strdup(host_is_root(&m->host) ? "sysctl kernel.kptr_restrict=1"
							    : "run as root"));
	else
		finding_set(f, STATE_OK, g_strdup(evidence),
			    "kernel addresses get their names from /proc/kallsyms", NULL);
	g_free(evidence);
	g_free(restricted);
}
