/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * other_tool_test.c - parser/other_tool.def: each row's example is that row's, and what it becomes
 * parses; text that is no probe of another tool is left alone.
 */
#include "parser/other_tool.h"

#include "parser/parse.h"
#include "testsuite/unit/check.h"

#include <string.h>

static const struct {
	const char *example, *translation;
} rows[] = {
#define ROW(tool, theirs, ours, example, translation) { example, translation },
#include "parser/other_tool.def"
#undef ROW
};

/* Messages about a probe of ours. */
static int parses(const char *point)
{
	static const char *const argv[] = { "12" };
	struct parse_env env = { .argv = argv, .argc = 1 };
	char *script = g_strdup_printf("probe %s { }", point);
	struct diag_sink diag;
	struct ast *ast;
	int ok;

	diag_init(&diag, stdout);
	ast = ast_new(&diag);
	ok = ast_parse(ast, source_new("translation", script, strlen(script)), &env) != NULL;
	diag_finish(&diag);
	ast_free(ast);
	diag_clear(&diag);
	g_free(script);
	return ok;
}

/* The example, followed by `rest`, is found and becomes the translation. */
static void check_row(const char *example, const char *rest, const char *translation)
{
	char *text = g_strconcat(example, rest, NULL);
	struct other_tool found;

	if (!other_tool_find("x.stp", text, strlen(text), &found) ||
	    found.len != strlen(example) || g_strcmp0(found.ours, translation) ||
	    found.predicate != (translation && strchr(rest, '/') != NULL)) {
		printf("FAIL '%s' becomes '%s', not '%s'\n", text, found.ours, translation);
		failures++;
	}
	g_free(found.ours);
	g_free(text);
}

static const char *tool(const char *file, const char *text)
{
	struct other_tool found;

	if (!other_tool_find(file, text, strlen(text), &found))
		return NULL;
	g_free(found.ours);
	return found.tool;
}

int main(void)
{
	static const char *const not_theirs[] = {
		"", "prove begin { }", "int x", "x:y", "k", "begin.x { }", "profile by pid()",
		"tick", "f:", "interval", "BEGINNING { }", "a:", "\xff:::",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		check_row(rows[i].example, "", rows[i].translation);
		check_row(rows[i].example, " { x }", rows[i].translation);
		check_row(rows[i].example, ",", rows[i].translation);
		if (rows[i].translation) {
			check_row(rows[i].example, "\n/pid == 1/", rows[i].translation);
			check_row(rows[i].example, "/pid == 1/", rows[i].translation);
			CHECK(parses(rows[i].translation));
		}
	}
	for (size_t i = 0; i < G_N_ELEMENTS(not_theirs); i++)
		CHECK(!tool("x.stp", not_theirs[i]));
	CHECK(!g_strcmp0(tool("x.bt", "struct x"), "bpftrace's"));
	CHECK(!g_strcmp0(tool("x.d", "self int x;"), "DTrace's"));
	CHECK(!g_strcmp0(tool("x.d", "BEGIN"), "DTrace's"));
	CHECK(!g_strcmp0(tool("<input>", "BEGIN"), "bpftrace's or DTrace's"));
	CHECK(!g_strcmp0(tool("x.d", "kprobe:f"), "bpftrace's"));
	return failures != 0;
}
