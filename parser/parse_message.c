/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse_message.c - messages about unexpected tokens.
 *
 * Input: the names of the expected tokens; output: a message that describes the set: the beginnings
 * of a statement, a value or a probe point have a name, and operators are left out if anything else
 * is possible. parse.c recovers from the error.
 */
#include "parser/parse_message.h"

#include "parser/grammar.h"
#include "parser/other_tool.h"
#include "parser/parse.h"
#include "parser/parser.h"

#include <string.h>

/* Names of the expected tokens; those that a phrase covers are removed. */
struct expected {
	const char	*names[256];
	unsigned	n;
	GString		*words;
};

/* These begin an expression; the first is in no other set. */
static const char *const value_words[] = {
	"'('",
	"number",
	"string",
	"identifier",
	"identifier$",
	"$name",
	"$name$",
	"$ or $$",
	"'stopwatch'",
	"'profile'",
	"'callgraph'",
	"'print'",
	"'println'",
	"'printf'",
	"'printd'",
	"'%{'",
	"'['",
	"'+'",
	"'-'",
	"'!'",
	"'~'",
	"'&'",
	"'++'",
	"'--'",
	"'@count'",
	"'@median'",
	"'@variance'",
	"'@percentile'",
	"'@hist_log'",
	"'@hist_linear'",
	"'@cast'",
	"'@var'",
	"'@defined'",
	"'@probewrite'",
	"'@const'",
	"'@enumname'",
	"'@kregister'",
	"'@kderef'",
	NULL,
};
static const char *const name_words[] = {
	"identifier", "identifier$", "$name", "$name$", "$ or $$", "'stopwatch'", "'profile'",
	"'callgraph'", "'print'", "'println'", "'printf'", "'printd'", NULL,
};
/* These continue an expression. */
static const char *const operator_words[] = {
	"'||'",    "'&&'",  "'|'",   "'^'",  "'&'",  "'?'",  "'?' of before 4.0",
	"'='",     "'<<<'", "'+='",  "'-='", "'*='", "'/='", "'%='",
	"'<<='",   "'>>='", "'&='",  "'^='", "'|='", "'.='", "'<'",
	"'>'",     "'<='",  "'>='",  "'=='", "'!='", "'=~'", "'!~'",
	"'<<'",    "'>>'",  "'>>>'", "'.'",  "'+'",  "'-'",  "'*'",
	"'/'",     "'%'",   "'++'",  "'--'", "'->'", "'['",  "'('",
	"$ or $$", "'in'",  NULL,
};

static int has(const struct expected *e, const char *name)
{
	for (unsigned i = 0; i < e->n; i++) {
		if (!strcmp(e->names[i], name))
			return 1;
	}
	return 0;
}

static void drop(struct expected *e, const char *const *names)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < e->n; i++) {
		if (!g_strv_contains(names, e->names[i]))
			e->names[kept++] = e->names[i];
	}
	e->n = kept;
}

static void add(struct expected *e, const char *word)
{
	g_string_append_printf(e->words, "%s%s", e->words->len ? ", " : "", word);
}

/* Removes a set that a phrase covers. */
static void group(struct expected *e, const char *word, const char *const *names)
{
	drop(e, names);
	add(e, word);
}

static void add_value(struct expected *e)
{
	if (!e->n) {
		add(e, "literal string or number, variable, or function call");
		return;
	}
	add(e, "literal string or number");
	add(e, "variable");
	add(e, "function call");
}

/* One phrase suffices for the continuation of a file, a block or a point. */
static int whole_set(struct expected *e)
{
	const char *word = NULL;

	if (has(e, "'while'") && has(e, "number"))
		word = "statement";
	else if (has(e, "'while'") && has(e, "'*'"))
		word = "probe point specifier, identifier or '*' or '{'";
	else if (has(e, "'while'"))
		word = "identifier";
	else if (has(e, "'probe'") && has(e, "'global'"))
		word = "'probe', 'global', 'private', 'function', or '%{'";
	else if (has(e, "the rest of a name"))
		word = "one of '. , ( ? ! { = +='";
	else if (has(e, "'+='") && has(e, "'{'"))
		word = "one of '. , ? ! { = +='";
	if (word)
		add(e, word);
	return word != NULL;
}

static void group_all(struct expected *e)
{
	static const char *const integer[] = { "number", "'-'", NULL };
	static const char *const strings[] = { "string", NULL };
	static const char *const directions[] = { "'+'", "'-'", NULL };
	static const char *const unsaid[] = {
		"another string", "where to go on", "'?' of before 4.0", NULL
	};

	if (whole_set(e)) {
		e->n = 0;
		return;
	}
	if (has(e, "number") && has(e, "'('")) {
		drop(e, value_words);
		add_value(e);
	} else if (has(e, "'||'") && (has(e, "')'") || has(e, "']'") || has(e, "','") ||
				      has(e, "':'") || has(e, "';'"))) {
		drop(e, operator_words);
	} else if (has(e, "'||'")) {
		group(e, "operator", operator_words);
	}
	if (has(e, "identifier"))
		group(e, "identifier", name_words);
	if (has(e, "number") && has(e, "string")) {
		drop(e, integer);
		group(e, "literal string or number", strings);
	}
	if (has(e, "number"))
		group(e, "literal number", integer);
	if (has(e, "string"))
		group(e, "literal string", strings);
	if (has(e, "'in'"))
		drop(e, directions);
	drop(e, unsaid);
}

/* "a, b or c". Caller frees. */
static char *expected_words(struct parser *p, struct expected *e)
{
	e->words = g_string_new(NULL);
	if (p->clause && has(e, "text of a clause")) {
		add(e, p->clause);
		e->n = 0;
	}
	group_all(e);
	for (unsigned i = 0; i < e->n; i++)
		g_string_append_printf(e->words, "%s%s",
				       !e->words->len ? "" : i + 1 < e->n ? ", " : " or ",
				       e->names[i]);
	return g_string_free(e->words, FALSE);
}

void parse_error(struct parser *p, const struct loc *loc, enum diag_code code, ...)
{
	va_list args;

	p->errors++;
	va_start(args, code);
	diag_args(p->ast->diag, loc, code, args);
	va_end(args);
}

void parse_too_deep(struct parser *p, const struct extent *at)
{
	parse_error(p, &at->first->loc, D_PARSE_DEPTH);
	p->failed = 1;
}

/* ---- hints -------------------------------------------------------------------------------- */

/* At an early end of file: points to the innermost unclosed bracket. */
static void hint_open(struct parser *p)
{
	const struct token *t;
	char *place;

	if (!p->open->len)
		return;
	t = parse_token(p, g_array_index(p->open, unsigned, p->open->len - 1));
	place = loc_string(&t->loc);
	diag_hint(p->ast->diag, "the '%s' at %s is not closed", t->text, place);
	g_free(place);
}

/* A word at the top level that does not open a declaration. */
static void hint_opener(struct parser *p, const struct token *token)
{
	static const char *const openers[] = { "probe", "global", "private", "function" };
	static const char types[] =
		" int char long unsigned void float double bool string var let ";
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	char *word = g_strdup_printf(" %s ", token->text), *similar;

	for (size_t i = 0; i < G_N_ELEMENTS(openers); i++)
		g_ptr_array_add(names, (char *)openers[i]);
	similar = diag_similar(token->text, names, 1);
	if (strstr(types, word))
		diag_hint(p->ast->diag, "types are inferred; a variable shared by all "
			  "handlers is declared with 'global NAME'");
	else
		diag_suggest(p->ast->diag, token->text, similar);
	g_free(similar);
	g_free(word);
}

static void hint_at(struct parser *p, const struct token *token, const char *what)
{
	if (token_is(token, "'"))
		diag_hint(p->ast->diag, "strings are written in double quotes; a character is a "
			  "string of length one");
	else if (token->kind == TOKEN_EOF)
		hint_open(p);
	else if (g_str_has_prefix(what, "'probe'"))
		hint_opener(p, token);
	else if (token->type == ')' && p->at > 1 && parse_token(p, p->at - 2)->type == IN)
		diag_hint(p->ast->diag, "foreach iterates over an array: foreach (key in array)");
	else if (token->type == MATCHES || token->type == MATCHES_NOT)
		diag_hint(p->ast->diag,
			  "'%s' matches one value: put what is compared before it in parentheses",
			  token->text);
}

static void unknown_operator(struct parser *p, const struct token *t)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	char *similar;

	token_at_words(names);
	similar = diag_similar(t->text, names, 1);
	parse_error(p, &t->loc, D_PARSE_OPERATOR, t->text);
	if (token_at_builtin(t->text))
		diag_hint(p->ast->diag, "it is newer than version %s, selected by --compatible",
			  p->env->systemtap_v);
	else
		diag_suggest(p->ast->diag, t->text, similar);
	g_free(similar);
}

int parse_other_tool(struct parser *p, const struct loc *loc)
{
	struct other_tool found;
	struct loc probe = *loc;

	if (!loc->src || !other_tool_find(loc->src->name, loc->src->text + loc->start,
					  loc->src->len - loc->start, &found))
		return 0;
	probe.end = probe.start + (unsigned)found.len;
	parse_error(p, &probe, D_PARSE_OTHER_TOOL, found.tool);
	if (found.ours)
		diag_hint(p->ast->diag, "write: probe %s { ... }; doc/coming-from.md has more",
			  found.ours);
	else
		diag_hint(p->ast->diag, "scripts are SystemTap's language; doc/coming-from.md "
			  "has %s words beside ours", found.tool);
	if (found.predicate)
		diag_hint(p->ast->diag, "instead of /condition/ begin the handler with: "
			  "if (!(condition)) next");
	g_free(found.ours);
	p->other_tool = 1;
	return 1;
}

/*
 * The first token of the word, text without blanks, that the unexpected token is part of; a comma
 * belongs to the word before it.
 */
static unsigned word_start(const struct parser *p)
{
	unsigned i = p->at;

	if (i && parse_token(p, i)->type == ',')
		i--;
	for (; i; i--) {
		const struct loc *before = &parse_token(p, i - 1)->loc;
		const struct loc *at = &parse_token(p, i)->loc;

		if (!at->src || before->src != at->src || before->end != at->start ||
		    strchr(",;{}", at->src->text[before->start]))
			break;
	}
	return i;
}

/* Reports a probe of another tool, as a declaration of its own or between points of ours. */
static int unexpected_probe(struct parser *p, const struct expected *e)
{
	unsigned first = word_start(p);

	if (!has(e, "'probe'") &&
	    (!p->points || (first == p->at && parse_token(p, first)->type != ':')))
		return 0;
	return parse_other_tool(p, &parse_token(p, first)->loc);
}

void parse_unexpected(struct parser *p, const char *const *names, unsigned n)
{
	const struct token *token = parse_token(p, p->at);
	struct expected e = { .n = 0 };
	char *words;

	p->failed = 1;
	if (token->kind == TOKEN_JUNK) {
		parse_error(p, &token->loc, token->junk, token->text);
		return;
	}
	for (unsigned i = 0; i < n && i < G_N_ELEMENTS(e.names); i++)
		e.names[e.n++] = names[i];
	if ((token->type == AT_OTHER || token->type == VARIANCE_OLD) && has(&e, "number") &&
	    has(&e, "'('")) {
		unknown_operator(p, token);
		return;
	}
	if (unexpected_probe(p, &e))
		return;
	words = expected_words(p, &e);
	parse_error(p, &token->loc, D_PARSE_EXPECTED, words);
	hint_at(p, token, words);
	g_free(words);
}
