/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.c - findings and verdict as text for people, as JSON or CSV for programs.
 */
#include "cmd/doctor/report.h"

#include "cmd/doctor/doctor.h"

#include <stdio.h>

static const char *const words[] = {
	[STATE_OK] = "ok", [STATE_LIMITED] = "limited", [STATE_MISSING] = "missing",
	[STATE_UNTRIED] = "untried"
};

static void print_runtime(const char *name, const char *why_not, const char *more)
{
	printf("%-14s %s%s%s%s\n", name, why_not ? "no" : "yes", why_not || more ? ": " : "",
	       why_not ? why_not : "", why_not || !more ? "" : more);
}

void report_text(const struct machine *m, const struct finding *findings, unsigned n,
		 const struct doctor_verdict *v)
{
	printf("Linux %s, %s\n\n", m->release, m->arch);
	for (unsigned i = 0; i < n; i++) {
		const struct finding *f = &findings[i];

		printf("%-8s %-13s %s\n%23s%s\n", words[f->state], f->name, f->means, "",
		       f->evidence);
		if (f->fix)
			printf("%23sto mend: %s\n", "", f->fix);
	}
	putchar('\n');
	print_runtime("kernel runtime", v->no_kernel, NULL);
	print_runtime("user runtime", v->no_user, v->user_limits);
	print_runtime("x86_64 guests", v->no_vm_x86, v->guests_x86);
	print_runtime("arm64 guests", v->no_vm_arm64, v->guests_arm64);
	if (v->command)
		printf("\nThis works here: %s. Begin with: %s\n", v->works, v->command);
	else
		printf("\nNothing works here yet: %s.\n", v->next);
}

/* more: NULL, or the name and text of what print_runtime() adds. */
static void write_way(struct data *d, const char *name, const char *why_not, const char *more,
		      const char *text)
{
	data_object(d, name);
	data_value(d, "works", why_not ? "false" : "true");
	data_text(d, "reason", why_not);
	if (more)
		data_text(d, more, text);
	data_close(d);
}

int report_data(enum data_form form, const struct machine *m, const struct finding *findings,
		unsigned n, const struct doctor_verdict *v)
{
	static const char *const columns[] = { "name", "state", "evidence", "means", "fix", NULL };
	struct data d;

	data_begin(&d, stdout, form, "lapwing-doctor/1");
	data_text(&d, "release", m->release);
	data_text(&d, "arch", m->arch);
	data_rows(&d, "findings", columns);
	for (const struct finding *f = findings; f < findings + n; f++) {
		data_row(&d);
		data_text(&d, NULL, f->name);
		data_text(&d, NULL, words[f->state]);
		data_text(&d, NULL, f->evidence);
		data_text(&d, NULL, f->means);
		data_text(&d, NULL, f->fix);
		data_close(&d);
	}
	data_close(&d);
	data_object(&d, "runtimes");
	write_way(&d, "kernel", v->no_kernel, NULL, NULL);
	write_way(&d, "user", v->no_user, "limits", v->user_limits);
	data_close(&d);
	data_object(&d, "guests");
	write_way(&d, "x86_64", v->no_vm_x86, "kernels", v->guests_x86);
	write_way(&d, "arm64", v->no_vm_arm64, "kernels", v->guests_arm64);
	data_close(&d);
	data_text(&d, "working", v->works);
	data_text(&d, "command", v->command);
	data_text(&d, "next", v->command ? NULL : v->next);
	return data_end(&d, "lapwing doctor", "stdout");
}
