/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * variable_driver.c - prints what target variables are lowered to, on a kernel that a text file
 * describes.
 *
 * 	variable_driver FAKE EXPRESSIONS
 *
 * EXPRESSIONS has lines "ARCH FUNCTION EXPRESSION" ('#': comment); FUNCTION.return and TRACEPOINT:
 * are probes of those kinds, FUNCTION@FILE:LINE one of a statement. Prints each line and the loads
 * that it becomes, or why it is not available. The expression -L lists all variables.
 */
#include "parser/ast_print.h"
#include "parser/ast_walk.h"
#include "parser/parse.h"
#include "translator/debuginfo/debuginfo.h"
#include "translator/debuginfo/dwarf.h"
#include "translator/debuginfo/files.h"
#include "translator/families/family.h"
#include "translator/program/options.h"
#include "translator/target_var/variable.h"

#include <string.h>

static void print_node(const struct ast_node *n);

static void print_list(const struct ast_list *list, const char *between)
{
	for (unsigned i = 0; i < list->n; i++) {
		fputs(i ? ", " : between, stdout);
		print_node(list->at[i]);
	}
}

static void print_node(const struct ast_node *n)
{
	switch (n->kind) {
	case AST_NUMBER:
		printf("%lld", (long long)n->u.number.value);
		break;
	case AST_STRING:
		printf("\"%s\"", n->u.string.text);
		break;
	case AST_BINARY:
		printf("(");
		print_node(n->u.binary.left);
		printf(" %s ", n->u.binary.op);
		print_node(n->u.binary.right);
		printf(")");
		break;
	case AST_CALL:
		printf("%s(", n->u.call.builtin ? n->u.call.builtin->call : n->u.call.name);
		print_list(&n->u.call.args, "");
		printf(")");
		break;
	case AST_PRINT:
		printf("sprintf(\"%s\"", n->u.print.format);
		print_list(&n->u.print.args, ", ");
		printf(")");
		break;
	default: {
		char *text = ast_print(n);

		fputs(text, stdout);
		g_free(text);
	}
	}
}

/* $x in the index of another is lowered too, as pass context does. */
struct walk {
	struct program *prog;
	const struct probe *probe;
	const char *why;
};

static void lower(struct ast_node **slot, void *data)
{
	struct walk *w = data;
	struct ast_node *n;

	if ((*slot)->kind != AST_TARGET)
		return;
	ast_children(*slot, lower, w);
	n = variable_lower(w->prog, w->probe, *slot, &w->why);
	if (n)
		*slot = n;
}

static void lower_assignment(struct ast_node **slot, struct walk *w)
{
	struct ast_node *n = variable_store(w->prog, w->probe, (*slot)->u.binary.left,
					    (*slot)->u.binary.right, &w->why);

	if (n)
		*slot = n;
}

/* at: "file.c:LINE expression" */
static const struct dwarf_place *find_place(struct program *prog, const char *function,
					    const char *at)
{
	char *file = g_strndup(at, strcspn(at, ":")),
	     *lines = g_strndup(at + strlen(file) + 1, strspn(at + strlen(file) + 1, "0123456789"));
	struct dwarf_query q = {
		.kind = DWARF_STATEMENT, .function = function, .file = file, .lines = lines
	};
	struct dwarf_place *place = NULL;
	const char *why;
	struct dwarf *d = debuginfo_dwarf(prog->info, NULL, &why);
	GArray *found = d ? dwarf_places(d, &q) : NULL;

	if (found && found->len) {
		place = ast_alloc(prog->ast, sizeof(*place));
		*place = g_array_index(found, struct dwarf_place, 0);
	}
	if (found)
		g_array_unref(found);
	g_free(lines);
	g_free(file);
	return place;
}

static void try_line(const char *fake, const char *line)
{
	char **word = g_strsplit(line, " ", 3),
	     *text = g_strdup_printf("probe begin { %s }", strcmp(word[2], "-L") ? word[2] : "");
	struct options opt = { .runtime = RUNTIME_KERNEL };
	struct parse_env env = { .arch = word[0], .kernel_v = "6.1", .kernel_vr = "6.1.0" };
	struct rt_function function = { .function = word[1],
					.is_return = g_str_has_suffix(word[1], ".return") };
	struct rt_tracepoint tracepoint = { .name = word[1] };
	int is_tracepoint = g_str_has_suffix(word[1], ":");
	struct probe probe = { .point = word[1],
			       .function = word[1],
			       .family = is_tracepoint ? &family_tracepoint : &family_function,
			       .row = is_tracepoint ? (void *)&tracepoint : (void *)&function };
	struct diag_sink sink;
	struct program *prog;
	struct walk w = { .probe = &probe };
	struct ast_node *file, **slot;

	if (strchr(word[1], '@'))
		word[1][strcspn(word[1], "@")] = 0;
	else
		word[1][strcspn(word[1], ".:")] = 0;
	diag_init(&sink, stdout);
	w.prog = prog = program_new(&opt, &sink);
	prog->arch = word[0];
	prog->info = debuginfo_open_fake(fake, NULL);
	if (strstr(line, ".c:") && strchr(line, '@') < strstr(line, ".c:"))
		probe.place = find_place(prog, word[1], strchr(line, '@') + 1);
	file = ast_parse(prog->ast, source_new("line", text, strlen(text)), &env);
	printf("%s\n\t", line);
	if (!strcmp(word[2], "-L")) {
		char *list = variable_list(prog, &probe);

		fputs(list, stdout);
		g_free(list);
	} else if (file) {
		slot = &file->u.list.at[0]->u.probe.body->u.list.at[0]->u.expr.expr;
		if ((*slot)->kind == AST_ASSIGN)
			lower_assignment(slot, &w);
		else
			lower(slot, &w);
		if ((*slot)->kind == AST_TARGET || (*slot)->kind == AST_ASSIGN)
			printf("no: %s", w.why);
		else
			print_node(*slot);
	}
	for (unsigned i = 0; i < prog->symbols->len; i++) {
		const struct rt_symbol *s = &g_array_index(prog->symbols, struct rt_symbol, i);

		printf("  symbol %u: %s%+lld", i, s->name, (long long)s->offset);
	}
	printf("\n");
	diag_finish(&sink);
	program_free(prog);
	diag_clear(&sink);
	g_free(text);
	g_strfreev(word);
}

int main(int argc, char **argv)
{
	char *text, **lines;

	if (argc != 3 || !g_file_get_contents(argv[2], &text, NULL, NULL)) {
		fprintf(stderr, "usage: variable_driver FAKE EXPRESSIONS\n");
		return 2;
	}
	lines = g_strsplit(text, "\n", -1);
	for (char **l = lines; *l; l++)
		if (**l && **l != '#')
			try_line(argv[1], *l);
	g_strfreev(lines);
	g_free(text);
	return 0;
}
