/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse_stopwatch.c - two declarations that stand for globals and probes, which are written here as a script and parsed:
 *
 *	stopwatch POINT, ... [by KEY, ...] [with EVENT, ...]	how long calls take, and what they count
 *	profile ["EVENT:PERIOD"] [by KEY, ...]			where the time goes
 *
 * The words are names anywhere else. lapwing -p1 prints what they stand for. Input: the token stream behind the word.
 */
#include "parser/parse.h"

#include <string.h>

static int is_word(const struct token *t, const char *word)
{
	return t->kind == TOKEN_IDENT && !strcmp(t->text, word);
}

int parse_at_statement(struct parser *p)
{
	return is_word(parse_peek(p, 0), "stopwatch") || is_word(parse_peek(p, 0), "profile");
}

/* The next declaration, or the next part of this one. */
static int ends_clause(struct parser *p)
{
	const struct token *t = parse_peek(p, 0);

	if (token_is(parse_prev(p), "."))
		return 0;			/* a component of a point may be called by any of these words */
	return t->kind == TOKEN_EOF || t->kind == TOKEN_EMBED || is_word(t, "by") || is_word(t, "with") || parse_at_statement(p) ||
	       parse_at(p, "probe") || parse_at(p, "global") || parse_at(p, "function") || parse_at(p, "private");
}

#define PARTS_MOST 64

/* Parts of a clause; their texts are the tree's, so that an error may leave at any time. */
struct parts {
	unsigned	len;
	const char	*text[PARTS_MOST];
};

static const char *text_between(struct parser *p, const struct token *first, const struct token *last)
{
	return ast_printf(p->ast, "%.*s", (int)(last->loc.end - first->loc.start), first->loc.src->text + first->loc.start);
}

/* Texts up to the end of the clause, cut at commas outside of brackets. */
static struct parts take_parts(struct parser *p, const char *what)
{
	struct parts parts = { 0 };
	unsigned depth = 0;

	do {
		const struct token *first = parse_peek(p, 0), *last = NULL;

		while ((depth || !ends_clause(p)) && parse_peek(p, 0)->kind != TOKEN_EOF && (depth || !parse_at(p, ","))) {
			last = parse_take(p);
			if (token_is(last, "(") || token_is(last, "[") || token_is(last, "{"))
				depth++;
			else if (depth && (token_is(last, ")") || token_is(last, "]") || token_is(last, "}")))
				depth--;
		}
		if (!last || first->loc.src != last->loc.src || parts.len == PARTS_MOST)
			parse_expected(p, what);
		parts.text[parts.len++] = text_between(p, first, last);
	} while (parse_accept(p, ","));
	return parts;
}

static struct parts take_clause(struct parser *p, const char *word, const char *what)
{
	if (!is_word(parse_peek(p, 0), word))
		return (struct parts){ 0 };
	parse_take(p);
	return take_parts(p, what);
}

static char *joined(const struct parts *parts, const char *between)
{
	GString *out = g_string_new(NULL);

	for (unsigned i = 0; i < parts->len; i++)
		g_string_append_printf(out, "%s%s", i ? between : "", parts->text[i]);
	return g_string_free(out, FALSE);
}

/* "k0, k1" */
static char *key_names(unsigned n)
{
	GString *out = g_string_new(NULL);

	for (unsigned i = 0; i < n; i++)
		g_string_append_printf(out, "%sk%u", i ? ", " : "", i);
	return g_string_free(out, FALSE);
}

/* The same as one text. Caller frees. */
static char *key_text(unsigned n)
{
	char *names = key_names(n), *text = n > 1 ? g_strdup_printf("sprintd(\" \", %s)", names) : g_strdup_printf("sprint(%s)", names);

	g_free(names);
	return text;
}

/* An event as a word or a string, without quotes. */
static char *event_name(const char *text)
{
	char *name = g_strdup(*text == '"' ? text + 1 : text);

	name[strcspn(name, "\"")] = 0;
	return name;
}

static int find_event(const struct parts *events, const char *a, const char *b)
{
	for (unsigned i = 0; i < events->len; i++) {
		char *name = event_name(events->text[i]), *plain = g_strndup(name, strcspn(name, ":"));
		int same = !strcmp(plain, a) || !strcmp(plain, b);

		g_free(name);
		g_free(plain);
		if (same)
			return (int)i;
	}
	return -1;
}

/* A heading and a column for each event, then cycles per instruction where both were counted. */
static void write_columns(GString *head, GString *row, const char *id, const char *keys, const struct parts *events)
{
	int cycles = find_event(events, "cycles", "cpu_cycles"), instructions = find_event(events, "instructions", "instructions_retired");

	for (unsigned i = 0; i < events->len; i++) {
		char *name = event_name(events->text[i]);

		g_string_append_printf(head, "	printf(\" %%20s\", \"%s/call\")\n", name);
		g_string_append_printf(row, "		printf(\" %%20d\", @avg(__e%u_%s[%s]))\n", i, id, keys);
		g_free(name);
	}
	if (cycles < 0 || instructions < 0)
		return;
	g_string_append(head, "	printf(\" %8s\", \"CPI\")\n");
	g_string_append_printf(row, "		cpi = @sum(__e%d_%s[%s]) * 1000 / (@sum(__e%d_%s[%s]) > 0 ? @sum(__e%d_%s[%s]) : 1)\n"
			       "		printf(\" %%4d.%%03d\", cpi / 1000, cpi %% 1000)\n", cycles, id, keys, instructions, id, keys,
			       instructions, id, keys);
}

static void write_point(GString *out, const char *point, const struct parts *events, int last)
{
	g_string_append_printf(out, "%s.return%%( runtime == \"kernel\" %%? .startwatch(\"task-clock\") %%)", point);
	for (unsigned i = 0; i < events->len; i++) {
		char *name = event_name(events->text[i]);

		g_string_append_printf(out, ".startwatch(\"%s\")", name);
		g_free(name);
	}
	g_string_append(out, last ? "\n" : ",\n      ");
}

static char *write_stopwatch(const char *id, const struct parts *points, const struct parts *by, const struct parts *events)
{
	char *keys = by->len ? joined(by, ", ") : g_strdup("ppfunc()"), *names = key_names(MAX(by->len, 1));
	char *shown = key_text(MAX(by->len, 1));
	char *title = by->len ? g_strescape(keys, NULL) : g_strdup("function");
	GString *out = g_string_new(NULL), *head = g_string_new(NULL), *row = g_string_new(NULL);

	write_columns(head, row, id, names, events);
	g_string_append_printf(out, "global __ns_%s[256], __cpu_%s[256]\n", id, id);
	for (unsigned i = 0; i < events->len; i++)
		g_string_append_printf(out, "global __e%u_%s[256]\n", i, id);
	g_string_append(out, "probe ");
	for (unsigned i = 0; i < points->len; i++)
		write_point(out, points->text[i], events, i + 1 == points->len);
	g_string_append_printf(out, "{\n	__ns_%s[%s] <<< ktime_get_ns() - @entry(ktime_get_ns())\n"
			       "%%( runtime == \"kernel\" %%?	__cpu_%s[%s] <<< $pmu[0] - @entry($pmu[0]) %%)\n", id, keys, id, keys);
	for (unsigned i = 0; i < events->len; i++)
		g_string_append_printf(out, "	__e%u_%s[%s] <<< $pmu[%u] - @entry($pmu[%u])\n", i, id, keys, i + 1, i + 1);
	g_string_append_printf(out, "}\nprobe end {\n	printf(\"%%-32s %%9s %%14s %%9s %%9s %%9s %%9s %%9s %%11s\", \"%s\", \"calls\", "
			       "\"total ns\", \"min\", \"avg\", \"p50\", \"p90\", \"p99\", \"max\")\n"
			       "%%( runtime == \"kernel\" %%?	printf(\" %%6s\", \"%%CPU\") %%)\n%s	println(\"\")\n", title, head->str);
	g_string_append_printf(out, "	foreach ([%s] in __ns_%s @sum-) {\n"
			       "		printf(\"%%-32s %%9d %%14d %%9d %%9d %%9d %%9d %%9d %%11d\", %s, @count(__ns_%s[%s]), "
			       "@sum(__ns_%s[%s]), @min(__ns_%s[%s]), @avg(__ns_%s[%s]), @percentile(__ns_%s[%s], 50), "
			       "@percentile(__ns_%s[%s], 90), @percentile(__ns_%s[%s], 99), @max(__ns_%s[%s]))\n",
			       names, id, shown, id, names, id, names, id, names, id, names, id, names, id, names, id, names, id, names);
	g_string_append_printf(out, "%%( runtime == \"kernel\" %%?		printf(\" %%6d\", @sum(__cpu_%s[%s]) * 100 / "
			       "(@sum(__ns_%s[%s]) > 0 ? @sum(__ns_%s[%s]) : 1)) %%)\n%s		println(\"\")\n	}\n}\n", id, names, id, names, id, names,
			       row->str);
	g_free(keys);
	g_free(names);
	g_free(shown);
	g_free(title);
	g_string_free(head, TRUE);
	g_string_free(row, TRUE);
	return g_string_free(out, FALSE);
}

static char *write_profile(const char *id, const char *event, const struct parts *by)
{
	char *keys = by->len ? joined(by, ", ") : g_strdup("execname(), user_mode() ? usymname(uaddr()) : symname(addr())");
	char *names = key_names(by->len ? by->len : 2), *shown = key_text(by->len ? by->len : 2), *out;

	out = g_strdup_printf("global __n_%s[8192], __all_%s\n"
			      "probe %s%s%s {\n	__n_%s[%s]++\n	__all_%s++\n}\n"
			      "probe end {\n	printf(\"%%9s %%7s  %%s\\n\", \"samples\", \"%%\", \"procedure\")\n"
			      "	foreach ([%s] in __n_%s-) {\n		share = __n_%s[%s] * 10000 / __all_%s\n"
			      "		printf(\"%%9d %%4d.%%02d  %%s\\n\", __n_%s[%s], share / 100, share %% 100, %s)\n	}\n}\n",
			      id, id, event ? "pmu.profile(" : "timer.profile", event ? event : "", event ? ")" : "", id, keys, id, names, id, id,
			      names, id, id, names, shown);
	g_free(keys);
	g_free(names);
	g_free(shown);
	return out;
}

static char *stopwatch(struct parser *p, const char *id)
{
	struct parts points = take_parts(p, "a probe point"), by = take_clause(p, "by", "what calls are told apart by");
	struct parts events = take_clause(p, "with", "an event");

	return write_stopwatch(id, &points, &by, &events);
}

static char *profile(struct parser *p, const char *id)
{
	const struct token *t = parse_peek(p, 0);
	const char *event = t->kind == TOKEN_STRING ? text_between(p, t, t) : NULL;
	struct parts by;

	if (event)
		parse_take(p);
	by = take_clause(p, "by", "what samples are told apart by");
	return write_profile(id, event, &by);
}

void parse_statement(struct parser *p, struct ast_node *file)
{
	const struct token *word = parse_take(p);
	const char *id = ast_printf(p->ast, "%u_%u", p->ast->sources->len, (unsigned)word->loc.start);
	char *text = is_word(word, "stopwatch") ? stopwatch(p, id) : profile(p, id);
	const struct parse_env *env = p->env;
	struct parse_env library = *env;
	struct ast_node *made;

	library.is_tapset = 1;
	made = ast_parse(p->ast, source_new(word->text, text, strlen(text)), &library);
	g_free(text);
	if (!made)
		parse_leave_declaration(p);
	g_ptr_array_remove_index(p->ast->files, p->ast->files->len - 1);	/* its parts go elsewhere */
	for (unsigned i = 0; i < made->u.list.n; i++) {
		if (made->u.list.at[i]->kind == AST_GLOBAL)
			made->u.list.at[i]->u.global.hidden = 1;
		ast_append(p->ast, &file->u.list, made->u.list.at[i]);
	}
}
