/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.c - findings and verdict as text for people and as JSON for programs.
 */
#include "cmd/doctor/report.h"

#include "cmd/doctor/doctor.h"

#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

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

static void add_text(JsonBuilder *b, const char *name, const char *value)
{
	json_builder_set_member_name(b, name);
	if (value)
		json_builder_add_string_value(b, value);
	else
		json_builder_add_null_value(b);
}

static void add_finding(JsonBuilder *b, const struct finding *f)
{
	json_builder_begin_object(b);
	add_text(b, "name", f->name);
	add_text(b, "state", words[f->state]);
	add_text(b, "evidence", f->evidence);
	add_text(b, "means", f->means);
	add_text(b, "fix", f->fix);
	json_builder_end_object(b);
}

/* more: NULL, or the name and text of what print_runtime() adds. */
static void add_way(JsonBuilder *b, const char *name, const char *why_not, const char *more,
		    const char *text)
{
	json_builder_set_member_name(b, name);
	json_builder_begin_object(b);
	json_builder_set_member_name(b, "works");
	json_builder_add_boolean_value(b, !why_not);
	add_text(b, "reason", why_not);
	if (more)
		add_text(b, more, text);
	json_builder_end_object(b);
}

void report_json(const struct machine *m, const struct finding *findings, unsigned n,
		 const struct doctor_verdict *v)
{
	JsonBuilder *b = json_builder_new();
	JsonNode *root;
	char *text;

	json_builder_begin_object(b);
	add_text(b, "release", m->release);
	add_text(b, "arch", m->arch);
	json_builder_set_member_name(b, "findings");
	json_builder_begin_array(b);
	for (unsigned i = 0; i < n; i++)
		add_finding(b, &findings[i]);
	json_builder_end_array(b);
	json_builder_set_member_name(b, "runtimes");
	json_builder_begin_object(b);
	add_way(b, "kernel", v->no_kernel, NULL, NULL);
	add_way(b, "user", v->no_user, "limits", v->user_limits);
	json_builder_end_object(b);
	json_builder_set_member_name(b, "guests");
	json_builder_begin_object(b);
	add_way(b, "x86_64", v->no_vm_x86, "kernels", v->guests_x86);
	add_way(b, "arm64", v->no_vm_arm64, "kernels", v->guests_arm64);
	json_builder_end_object(b);
	add_text(b, "working", v->works);
	add_text(b, "command", v->command);
	add_text(b, "next", v->command ? NULL : v->next);
	json_builder_end_object(b);
	root = json_builder_get_root(b);
	text = json_to_string(root, TRUE);
	puts(text);
	g_free(text);
	json_node_unref(root);
	g_object_unref(b);
}
