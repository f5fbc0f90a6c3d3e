/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * token.c - properties of tokens by their text: operators, numbers, @words and the version that
 * introduced them.
 */
#include "parser/token.h"

#include "parser/grammar.h"
#include "parser/parse.h"

#include <errno.h>
#include <string.h>

static const struct {
	const char *word;
	int type;
	const char *since;
	int guru;
} at_words[] = {
	{ "@define", OTHER, "0", 0 },
	{ "@cast", CAST, "0", 0 },
	{ "@var", VAR, "0", 0 },
	{ "@count", STATISTIC, "0", 0 },
	{ "@sum", STATISTIC, "0", 0 },
	{ "@min", STATISTIC, "0", 0 },
	{ "@max", STATISTIC, "0", 0 },
	{ "@avg", STATISTIC, "0", 0 },
	{ "@variance", VARIANCE, "3.1", 0 },
	{ "@percentile", PERCENTILE, "0", 0 },
	{ "@median", MEDIAN, "0", 0 },
	{ "@hist_log", HIST_LOG, "0", 0 },
	{ "@hist_linear", HIST_LINEAR, "0", 0 },
	{ "@defined", AT_EXPR, "0", 0 },
	{ "@entry", AT_EXPR, "0", 0 },
	{ "@probewrite", AT_ARRAY, "0", 0 },
	{ "@const", AT_STRING, "3.1", 1 },
	{ "@enum", AT_STRING, "5.5", 0 },
	{ "@perf", AT_STRING, "0", 0 },
	{ "@enumname", AT_ENUMNAME, "5.6", 0 },
	{ "@kregister", AT_REGISTER, "4.0", 1 },
	{ "@uregister", AT_REGISTER, "4.0", 1 },
	{ "@kderef", AT_DEREF, "4.0", 1 },
	{ "@uderef", AT_DEREF, "4.0", 1 },
};

int token_is(const struct token *token, const char *text)
{
	return (token->kind == TOKEN_OPERATOR || token->kind == TOKEN_KEYWORD) &&
	       *token->text == *text && !strcmp(token->text, text);
}

int parse_since(const struct parse_env *env, const char *version)
{
	return strverscmp(env->systemtap_v ? env->systemtap_v : PARSE_SYSTEMTAP_V, version) >= 0;
}

int token_number(const struct token *token, uint64_t *value)
{
	char *end;

	if (token->kind != TOKEN_NUMBER)
		return 0;
	errno = 0;
	*value = g_ascii_strtoull(token->text, &end, 0);
	return !errno && !*end;
}

/* The row of a word, or -1. */
static int at_word(const char *word)
{
	for (size_t i = 0; i < G_N_ELEMENTS(at_words); i++) {
		if (!strcmp(word, at_words[i].word))
			return (int)i;
	}
	return -1;
}

int token_at_builtin(const char *word)
{
	return at_word(word) >= 0;
}

int token_at_type(const char *word, const struct parse_env *env)
{
	int i = at_word(word);

	if (i < 0)
		return AT_OTHER;
	if (parse_since(env, at_words[i].since))
		return at_words[i].type;
	/* foreach has always sorted by it */
	return at_words[i].type == VARIANCE ? VARIANCE_OLD : AT_OTHER;
}

int token_at_guru(const char *word)
{
	int i = at_word(word);

	return i >= 0 && at_words[i].guru;
}

void token_at_words(GPtrArray *words)
{
	for (size_t i = 0; i < G_N_ELEMENTS(at_words); i++)
		g_ptr_array_add(words, (char *)at_words[i].word);
}
