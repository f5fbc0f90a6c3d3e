/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * privilege.c - functions that --privilege=stapusr forbids: those that reveal kernel data or other
 * users' processes.
 *
 * Most are recognized by their capture masks; the table has the others, as in SystemTap's library.
 * Families decide about probe points (struct family, unprivileged). Library functions are checked
 * through the calls they make.
 */
#include "translator/program/privilege.h"

#include "translator/program/options.h"

#include <string.h>

static const unsigned of_kernel =
	RT_CAP_KERNEL | RT_CAP_STACK | RT_CAP_KSYMS | RT_CAP_ARGS | RT_CAP_SYSCALL;

static const char *const others[] = {
	"addr",         "cpuid",         "ctime",        "errno_p",     "errno_str",
	"fp32_to_fp64", "fp_add",        "fp_div",       "fp_eq",       "fp_le",
	"fp_lt",        "fp_mul",        "fp_rem",       "fp_sqrt",     "fp_sub",
	"fp_to_long",   "fp_to_string",  "ftrace",       "long_to_fp",  "probing_32bit_app",
	"stp_pid",      "string_quoted", "string_to_fp", "switch_file", "target_set_pid",
	"text_str",     "__fp_to_long",  "__mm_address",
};

int privilege_is_user(const struct program *prog)
{
	return prog->opt->privilege && !strcmp(prog->opt->privilege, "stapusr");
}

int privilege_refuses(const struct program *prog, const struct builtin *b)
{
	if (!privilege_is_user(prog))
		return 0;
	for (unsigned i = 0; i < G_N_ELEMENTS(others); i++)
		if (!strcmp(b->name, others[i]))
			return 1;
	return (b->capture & of_kernel) != 0;
}

int privilege_is_own_only(const struct program *prog, const char *text)
{
	return privilege_is_user(prog) && strstr(text, "/* myproc-unprivileged */") != NULL;
}

int privilege_refuses_embedded(const struct program *prog, const char *text)
{
	return privilege_is_user(prog) && !strstr(text, "/* unprivileged */") &&
	       !privilege_is_own_only(prog, text);
}
