/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * other_tool.c - recognizes probes of bpftrace and DTrace, and translates them.
 *
 * Input: the text where a declaration was expected, and the file's name; output: whose syntax it
 * is, and the probe point of ours. other_tool.def is the table. Only probes are translated, not
 * what is done in them. Used after an error only, so that it costs a correct script nothing.
 */
#include "parser/other_tool.h"

#include <glib.h>
#include <string.h>

enum tool { NONE, BPFTRACE, DTRACE, EITHER };

static const char *const whose[] = {
	[BPFTRACE] = "bpftrace's", [DTRACE] = "DTrace's", [EITHER] = "bpftrace's or DTrace's",
};

static const struct row {
	enum tool	tool;
	const char	*theirs, *ours;
} rows[] = {
#define ROW(tool, theirs, ours, example, translation) { tool, theirs, ours },
#include "parser/other_tool.def"
#undef ROW
};

/* Longer ones are no probes: bounds the time that the expressions take. */
#define PROBE_BYTES_MAX 200

/* The text up to where a list of probes goes on, a handler begins, or a blank stands. */
static char *first_word(const char *text, size_t len)
{
	size_t n = 0;

	while (n < MIN(len, PROBE_BYTES_MAX) && g_ascii_isgraph(text[n]) && !strchr(",{;", text[n]))
		n++;
	return g_strndup(text, n);
}

/* True if the row matches the word, up to a predicate. */
static int match(const struct row *row, const char *word, struct other_tool *found)
{
	g_autofree char *pattern = g_strdup_printf("^(?:%s)(?=/|$)", row->theirs);
	g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_RAW, 0, NULL);
	g_autoptr(GMatchInfo) info = NULL;
	int end;

	if (!g_regex_match(regex, word, 0, &info) || !g_match_info_fetch_pos(info, 0, NULL, &end))
		return 0;
	found->len = (size_t)end;
	if (row->ours)
		found->ours = g_match_info_expand_references(info, row->ours, NULL);
	return 1;
}

static enum tool tool_of_file(const char *file)
{
	return g_str_has_suffix(file, ".bt") ? BPFTRACE :
		g_str_has_suffix(file, ".d") ? DTRACE : NONE;
}

int other_tool_find(const char *file, const char *text, size_t len, struct other_tool *found)
{
	g_autofree char *word = first_word(text, len);
	enum tool of_file = tool_of_file(file), tool = NONE;
	size_t after;

	*found = (struct other_tool){ .len = strlen(word) };
	for (size_t i = 0; i < G_N_ELEMENTS(rows) && !tool; i++) {
		if (match(&rows[i], word, found))
			tool = rows[i].tool;
	}
	if (of_file && (!tool || tool == EITHER))
		tool = of_file;
	if (!tool)
		return 0;
	for (after = found->len; after < len && g_ascii_isspace(text[after]); after++)
		;
	found->tool = whose[tool];
	found->predicate = found->ours && after < len && text[after] == '/';
	return 1;
}
