/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preproc_cond.c - the condition of %( condition %? ... %).
 *
 * Input: expanded tokens and the parse_env; output: 1 or 0, or a fault. Simple conditions of three
 * tokens, joined by && and ||; all are evaluated, so an error in any of them is found.
 */
#include "parser/preproc_cond.h"

#include "parser/ast.h"
#include "parser/parse.h"
#include "parser/token.h"

#include <fnmatch.h>
#include <string.h>

struct judge {
	struct ast	*ast;
	const struct parse_env *env;
	struct preproc_fault fault;
};

static int fail(struct judge *j, const struct token *t, enum diag_code code, const char *message)
{
	if (!j->fault.at)
		j->fault = (struct preproc_fault){ t, code, message };
	return 0;
}

static int equality(const char *op)
{
	return !strcmp(op, "==") || !strcmp(op, "!=");
}

/* order: negative, zero or positive, as strcmp() gives it. */
static int holds(struct judge *j, const struct token *op, int order)
{
	if (token_is(op, "=="))
		return order == 0;
	if (token_is(op, "!="))
		return order != 0;
	if (token_is(op, "<"))
		return order < 0;
	if (token_is(op, "<="))
		return order <= 0;
	if (token_is(op, ">"))
		return order > 0;
	if (token_is(op, ">="))
		return order >= 0;
	return fail(j, op, D_COND_OPERATOR, "expected comparison operator");
}

static int matches(struct judge *j, const struct token *op, const struct token *right,
		   const char *value)
{
	if (right->kind != TOKEN_STRING)
		return fail(j, right, D_COND_OPERAND, "expected string literal");
	if (op->kind != TOKEN_OPERATOR || !equality(op->text))
		return fail(j, op, D_COND_OPERATOR, "expected '==' or '!='");
	return holds(j, op, fnmatch(right->text, value ? value : "", FNM_NOESCAPE) != 0);
}

static int version(struct judge *j, const struct token *op, const struct token *right,
		   const char *value)
{
	if (right->kind != TOKEN_STRING)
		return fail(j, right, D_COND_OPERAND, "expected string literal");
	if (strpbrk(right->text, "*?[")) {
		if (op->kind == TOKEN_OPERATOR && equality(op->text))
			return matches(j, op, right, value);
		return fail(j, op, D_COND_OPERATOR, "expected '==' or '!=': versions with "
			    "wildcards are not ordered");
	}
	return holds(j, op, strverscmp(value ? value : "", right->text));
}

static int numbers(struct judge *j, const struct token *op, const struct token *left,
		   const struct token *right)
{
	uint64_t a, b;

	if (right->kind != TOKEN_NUMBER)
		return fail(j, right, D_COND_OPERAND, "expected number");
	if (!token_number(left, &a))
		return fail(j, left, D_LEX_NUMBER, "");
	if (!token_number(right, &b))
		return fail(j, right, D_LEX_NUMBER, "");
	return holds(j, op, ((int64_t)a > (int64_t)b) - ((int64_t)a < (int64_t)b));
}

static int guru(struct judge *j, const struct token *op, const struct token *left,
		const struct token *right)
{
	struct token mode = { .kind = TOKEN_NUMBER,
			      .loc = left->loc,
			      .text = j->env->guru ? "1" : "0" };
	uint64_t value;

	if (op->kind != TOKEN_OPERATOR || !equality(op->text))
		return fail(j, op, D_COND_OPERATOR, "expected '==' or '!='");
	if (!token_number(right, &value) || value > 1)
		return fail(j, right, D_COND_OPERAND, "expected number 0 or 1");
	return numbers(j, op, &mode, right);
}

static int privilege(struct judge *j, const struct token *op, const struct token *right)
{
	if (right->kind != TOKEN_STRING)
		return fail(j, right, D_COND_OPERAND, "expected string literal");
	if (op->kind != TOKEN_OPERATOR || !equality(op->text))
		return fail(j, op, D_COND_OPERATOR, "expected '==' or '!='");
	return holds(j, op, strcmp(j->env->privilege ? j->env->privilege : "stapdev", right->text));
}

static char *config_value(struct judge *j, const char *name)
{
	char *value = j->env->config ? j->env->config(name, j->env->data) : NULL, *kept;

	kept = ast_strdup(j->ast, value ? value : "");
	g_free(value);
	return kept;
}

static int config(struct judge *j, const struct token *left, const struct token *op,
		  const struct token *right)
{
	struct token a = { .kind = TOKEN_NUMBER, .loc = left->loc }, b = *right;
	uint64_t number;

	a.text = config_value(j, left->text);
	if (right->kind == TOKEN_STRING)
		return matches(j, op, right, a.text);
	if (right->kind == TOKEN_NUMBER) {
		if (!*a.text)
			a.text = "0";
		if (!token_number(&a, &number))
			return fail(j, left, D_COND_CONFIG, "");
		return numbers(j, op, &a, right);
	}
	if (right->kind != TOKEN_IDENT || !g_str_has_prefix(right->text, "CONFIG_"))
		return fail(j, right, D_COND_OPERAND,
			    "expected string, number or CONFIG_... as right value");
	b.kind = TOKEN_NUMBER;
	b.text = config_value(j, right->text);
	if (*a.text && *b.text && token_number(&a, &number) && token_number(&b, &number))
		return numbers(j, op, &a, &b);
	return holds(j, op, strcmp(a.text, b.text));
}

static int word(struct judge *j, const struct token *left, const struct token *op,
		const struct token *right)
{
	const struct parse_env *env = j->env;

	if (!strcmp(left->text, "kernel_v"))
		return version(j, op, right, env->kernel_v);
	if (!strcmp(left->text, "kernel_vr"))
		return version(j, op, right, env->kernel_vr);
	if (!strcmp(left->text, "systemtap_v"))
		return version(j, op, right,
			       env->systemtap_v ? env->systemtap_v : PARSE_SYSTEMTAP_V);
	if (!strcmp(left->text, "arch"))
		return matches(j, op, right, env->arch);
	if (!strcmp(left->text, "runtime"))
		return matches(j, op, right, env->runtime ? env->runtime : "kernel");
	if (!strcmp(left->text, "systemtap_privilege"))
		return privilege(j, op, right);
	if (!strcmp(left->text, "guru_mode"))
		return guru(j, op, left, right);
	if (g_str_has_prefix(left->text, "CONFIG_"))
		return config(j, left, op, right);
	return fail(j, left, D_COND_OPERAND,
		    "expected 'arch', 'kernel_v', 'kernel_vr', 'systemtap_v', 'runtime', "
		    "'systemtap_privilege', 'guru_mode', 'CONFIG_...', string or number");
}

static int simple(struct judge *j, const struct token *t)
{
	if (t[0].kind == TOKEN_IDENT)
		return word(j, &t[0], &t[1], &t[2]);
	if (t[0].kind == TOKEN_NUMBER)
		return numbers(j, &t[1], &t[0], &t[2]);
	if (t[0].kind != TOKEN_STRING)
		return fail(j, &t[0], D_COND_OPERAND,
			    "expected 'arch', 'kernel_v', 'kernel_vr', 'systemtap_v', 'runtime', "
			    "'systemtap_privilege', 'guru_mode', 'CONFIG_...', string or number");
	if (t[2].kind != TOKEN_STRING)
		return fail(j, &t[2], D_COND_OPERAND, "expected string literal");
	return holds(j, &t[1], strcmp(t[0].text, t[2].text));
}

int preproc_condition(struct ast *ast, const struct parse_env *env, const struct token *cond,
		      unsigned n, struct preproc_fault *fault)
{
	struct judge j = { .ast = ast, .env = env };
	int any = 0, all = 1;

	for (unsigned i = 0; ; i += 4) {
		if (n - i < 3) {
			fail(&j, &cond[n - 1], D_COND_SHAPE, "incomplete condition after '%('");
			break;
		}
		all &= simple(&j, cond + i);
		if (n - i == 3)
			break;
		if (token_is(&cond[i + 3], "||")) {
			any |= all;
			all = 1;
		} else if (!token_is(&cond[i + 3], "&&")) {
			fail(&j, &cond[i + 3], D_COND_SHAPE,
			     "expected '%?' marker for conditional");
			break;
		}
	}
	*fault = j.fault;
	return !j.fault.at && (any | all);
}
