/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preproc.c - macros and conditionals: tokens in, tokens out.
 *
 * @define NAME(a, b) %( body %), @NAME(x, y), %( condition %? tokens %: tokens %). A skipped branch
 * is dropped unparsed. preproc_cond.c evaluates conditions. A file's macros are private to it;
 * those of library files are read when their name is first used.
 */
#include "parser/preproc.h"

#include "parser/ast.h"
#include "parser/lex.h"
#include "parser/parse.h"
#include "parser/preproc_cond.h"
#include "parser/token.h"

#include <string.h>

/* Limits macros that expand to each other. */
#define EXPAND_DEPTH_MAX	100
#define EXPAND_STEPS_MAX	1000000

struct span {
	const struct token *at;
	unsigned	n;
};

struct macro {
	struct loc	loc;
	GPtrArray	*params;	/* "@name" */
	struct span	body;
	int		library;	/* names in its body refer to library macros */
};

/* What @names mean inside one expansion. */
struct macro_scope {
	const struct macro *macro;
	struct span	*args;
	const struct macro_scope *outer;	/* where the arguments were written */
	const struct expansion *via;
};

struct preproc {
	struct ast	*ast;
	const struct parse_env *env;
	GArray		*out;		/* NULL: no token may remain */
	GHashTable	*macros;
	unsigned	depth, steps;
	int		library;	/* a file with macros only */
	int		failed;
};

static void expand(struct preproc *pp, struct span in, const struct macro_scope *scope);

/*
 * Reports the first fault only, with the argument of the code's text: later ones may be
 * consequences of it.
 */
static void fail(struct preproc *pp, const struct token *t, const struct macro_scope *scope,
		 enum diag_code code, const char *argument)
{
	struct loc loc = t->loc;

	if (scope && !loc.via)
		loc.via = scope->via;
	if (!pp->failed && pp->library)
		diag(pp->ast->diag, &loc, D_MACRO_FILE, argument ? argument : t->text);
	else if (!pp->failed && t->kind == TOKEN_JUNK)
		diag(pp->ast->diag, &loc, t->junk, t->text);
	else if (!pp->failed)
		diag(pp->ast->diag, &loc, code, argument);
	pp->failed = 1;
}

/*
 * Index of the %) that closes the construct opened before i, or in.n; the first %? and %: of its
 * own level.
 */
static unsigned closing(struct span in, unsigned i, unsigned *question, unsigned *colon)
{
	unsigned level = 1;

	*question = *colon = 0;
	for (; i < in.n; i++) {
		const struct token *t = &in.at[i];

		if (token_is(t, "%("))
			level++;
		else if (token_is(t, "%)") && !--level)
			return i;
		else if (level == 1 && token_is(t, "%?") && !*question)
			*question = i;
		else if (level == 1 && token_is(t, "%:") && !*colon)
			*colon = i;
	}
	return in.n;
}

static void free_macro(gpointer data)
{
	struct macro *macro = data;

	g_ptr_array_free(macro->params, TRUE);
	g_free(macro);
}

/* ( p1, p2 ): returns the index after it, or 0. */
static unsigned define_params(struct preproc *pp, struct macro *macro, struct span in, unsigned i)
{
	for (; i + 1 < in.n; i += 2) {
		if (in.at[i].kind != TOKEN_IDENT) {
			fail(pp, &in.at[i], NULL, D_MACRO_SYNTAX, "expected identifier");
			return 0;
		}
		g_ptr_array_add(macro->params, g_strdup_printf("@%s", in.at[i].text));
		if (token_is(&in.at[i + 1], ")"))
			return i + 2;
		if (!token_is(&in.at[i + 1], ","))
			break;
	}
	fail(pp, &in.at[MIN(i + 1, in.n - 1)], NULL, D_MACRO_SYNTAX, "expected ',' or ')'");
	return 0;
}

/* At the token after @define; returns the index after the definition. */
static unsigned define(struct preproc *pp, struct span in, unsigned i)
{
	struct macro *macro = g_new0(struct macro, 1), *old;
	const struct token *name = &in.at[MIN(i, in.n - 1)];
	unsigned question, colon, end;
	char *key = NULL;

	macro->loc = name->loc;
	macro->library = pp->library;
	macro->params = g_ptr_array_new_with_free_func(g_free);
	if (i >= in.n || name->kind != TOKEN_IDENT) {
		fail(pp, name, NULL, D_MACRO_SYNTAX, "expected identifier");
		goto out;
	}
	key = g_strdup_printf("@%s", name->text);
	if (!strcmp(name->text, "define")) {
		fail(pp, name, NULL, D_MACRO_SYNTAX, "'@define' cannot be redefined");
		goto out;
	}
	if (token_at_builtin(key))
		diag(pp->ast->diag, &name->loc, D_MACRO_BUILTIN, key);
	old = g_hash_table_lookup(pp->macros, key);
	if (old) {
		fail(pp, name, NULL, D_MACRO_TWICE, key);
		diag_chain(pp->ast->diag, &old->loc, "macro '%s' first defined here", key);
		goto out;
	}
	if (++i < in.n && token_is(&in.at[i], "(")) {
		i = define_params(pp, macro, in, i + 1);
		if (!i)
			goto out;
	}
	if (i >= in.n || !token_is(&in.at[i], "%(")) {
		fail(pp, &in.at[MIN(i, in.n - 1)], NULL, D_MACRO_SYNTAX, "expected '%(' or '('");
		goto out;
	}
	end = closing(in, i + 1, &question, &colon);
	if (end == in.n) {
		fail(pp, name, NULL, D_MACRO_SYNTAX, "incomplete macro definition - missing '%)'");
		goto out;
	}
	macro->body = (struct span){ in.at + i + 1, end - i - 1 };
	g_hash_table_insert(pp->macros, key, macro);
	return end + 1;
out:
	g_free(key);
	free_macro(macro);
	return in.n;
}

/* Splits (x, y) at in[i]; returns the index after it, or 0. */
static unsigned split(struct preproc *pp, const struct macro *macro, struct span in, unsigned i,
		      struct span *args, const struct macro_scope *scope)
{
	const struct token *name = &in.at[i - 1];
	unsigned level = 0, count = 0, start = i + 1;

	if (i >= in.n || !token_is(&in.at[i], "(")) {
		fail(pp, name, scope, D_MACRO_ARGUMENTS,
		     ast_printf(pp->ast,
				"expected '(' in invocation of macro '%s' taking %u parameter(s)",
				name->text, macro->params->len));
		return 0;
	}
	for (; i < in.n; i++) {
		const struct token *t = &in.at[i];

		if (token_is(t, "(") || token_is(t, "["))
			level++;
		else if (token_is(t, ")") || token_is(t, "]"))
			level--;
		if (level && !(level == 1 && token_is(t, ",")))
			continue;
		if (count < macro->params->len)
			args[count] = (struct span){ in.at + start, i - start };
		count++;
		start = i + 1;
		if (!level)
			break;
	}
	if (i == in.n) {
		fail(pp, name, scope, D_MACRO_ARGUMENTS, "could not find end of macro invocation");
	} else if (count != macro->params->len) {
		fail(pp, name, scope, D_MACRO_ARGUMENTS,
		     ast_printf(pp->ast, "too %s parameters for macro '%s' (expected %u)",
				count > macro->params->len ? "many" : "few", name->text,
				macro->params->len));
		return 0;
	}
	return i == in.n ? 0 : i + 1;
}

static void invoke(struct preproc *pp, const struct macro *macro, const struct token *name,
		   struct span *args, const struct macro_scope *scope)
{
	struct expansion *via = ast_alloc(pp->ast, sizeof(*via));
	struct macro_scope inner = { macro, args, scope, via };

	via->what = "macro";
	via->at = name->loc;
	via->at.via = scope ? scope->via : NULL;
	expand(pp, macro->body, &inner);
}

static void read_library(struct preproc *user, struct source *src)
{
	struct preproc pp = {
		.ast = user->ast, .env = user->env, .library = 1, .macros = user->ast->macros
	};
	g_autoptr(GArray) tokens = token_lex(pp.ast, src, pp.env);
	/* macro bodies are spans of it */
	struct token *all = ast_alloc(pp.ast, tokens->len * sizeof(*all));

	g_ptr_array_add(pp.ast->sources, src);
	memcpy(all, tokens->data, tokens->len * sizeof(*all));
	expand(&pp, (struct span){ all, tokens->len - 1 }, NULL);
}

static const struct macro *library_macro(struct preproc *pp, const char *name)
{
	const struct macro *macro;
	struct source *src;

	while (!(macro = g_hash_table_lookup(pp->ast->macros, name))) {
		src = pp->env->macros && !token_at_builtin(name)
			      ? pp->env->macros(name + 1, pp->env->data)
			      : NULL;
		if (!src)
			return NULL;
		read_library(pp, src);
	}
	return macro;
}

/* Expands the @name at in[i]; returns the index after the invocation, or i if it is not a macro. */
static unsigned expand_name(struct preproc *pp, struct span in, unsigned i,
			    const struct macro_scope *scope)
{
	const struct token *t = &in.at[i];
	const struct macro *macro;
	struct span *args = NULL;
	unsigned next = i + 1;

	for (unsigned k = 0; scope && k < scope->macro->params->len; k++) {
		if (strcmp(g_ptr_array_index(scope->macro->params, k), t->text))
			continue;
		expand(pp, scope->args[k], scope->outer);
		return next;
	}
	macro = scope && scope->macro->library ? NULL : g_hash_table_lookup(pp->macros, t->text);
	if (!macro)
		macro = library_macro(pp, t->text);
	if (!macro)
		return i;
	if (macro->params->len) {
		args = ast_alloc(pp->ast, macro->params->len * sizeof(*args));
		next = split(pp, macro, in, i + 1, args, scope);
		if (!next)
			return in.n;
	}
	invoke(pp, macro, t, args, scope);
	return next;
}

/* Expands the macros in the condition, then evaluates it; an error counts as false. */
static int condition(struct preproc *pp, struct span cond, const struct macro_scope *scope,
		     const struct token *open)
{
	GArray *out = pp->out;
	struct preproc_fault fault = { open, D_COND_SHAPE, "incomplete condition after '%('" };
	int yes = 0;

	pp->out = g_array_new(FALSE, FALSE, sizeof(struct token));
	expand(pp, cond, scope);
	if (pp->out->len)
		yes = preproc_condition(pp->ast, pp->env, (const struct token *)pp->out->data,
					pp->out->len, &fault);
	if (fault.at)
		fail(pp, fault.at, scope, fault.code, fault.argument);
	g_array_free(pp->out, TRUE);
	pp->out = out;
	return yes;
}

/* At %(: expands the selected branch; returns the index after the %). */
static unsigned conditional(struct preproc *pp, struct span in, unsigned i,
			    const struct macro_scope *scope)
{
	unsigned question, colon, end = closing(in, i + 1, &question, &colon), from, to;

	if (end == in.n || !question || (colon && colon < question)) {
		fail(pp, &in.at[i], scope, D_COND_SHAPE,
		     end == in.n ? "incomplete conditional at end of file"
				 : "expected '%?' marker for conditional");
		return in.n;
	}
	for (unsigned k = colon + 1, level = 0; colon && k < end; k++) {
		level += token_is(&in.at[k], "%(");
		level -= token_is(&in.at[k], "%)");
		if (!level && token_is(&in.at[k], "%:"))
			fail(pp, &in.at[k], scope, D_COND_SHAPE,
			     "invalid conditional - duplicate '%:'");
	}
	if (condition(pp, (struct span){ in.at + i + 1, question - i - 1 }, scope, &in.at[i])) {
		from = question + 1;
		to = colon ? colon : end;
	} else {
		from = colon ? colon + 1 : end;
		to = end;
	}
	expand(pp, (struct span){ in.at + from, to - from }, scope);
	return end + 1;
}

static void append(struct preproc *pp, const struct token *t, const struct macro_scope *scope)
{
	struct token token = *t;

	if (scope && !token.loc.via)
		token.loc.via = scope->via;
	g_array_append_val(pp->out, token);
}

static void expand(struct preproc *pp, struct span in, const struct macro_scope *scope)
{
	unsigned next;

	if (pp->failed)
		return;
	if (pp->depth >= EXPAND_DEPTH_MAX || pp->steps > EXPAND_STEPS_MAX) {
		if (in.n)
			fail(pp, &in.at[0], scope, D_MACRO_LOOP, "");
		return;
	}
	pp->depth++;
	for (unsigned i = 0; i < in.n && !pp->failed; i = next) {
		const struct token *t = &in.at[i];

		next = i;
		pp->steps++;
		if (token_is(t, "@define")) {
			if (scope)
				fail(pp, t, scope, D_MACRO_INSIDE, "");
			else
				next = define(pp, in, i + 1);
		} else if (token_is(t, "%(")) {
			next = conditional(pp, in, i, scope);
		} else if (token_is(t, "%?") || token_is(t, "%:") || token_is(t, "%)")) {
			fail(pp, t, scope, D_COND_SHAPE, "incomplete conditional - missing '%('");
		} else if (t->kind == TOKEN_OPERATOR && *t->text == '@') {
			next = expand_name(pp, in, i, scope);
		}
		if (next == i && !pp->out) {
			fail(pp, t, scope, D_MACRO_FILE, "unexpected token in library macro file");
		} else if (next == i) {
			append(pp, t, scope);
			next = i + 1;
		}
	}
	pp->depth--;
}

GHashTable *token_macros_new(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_macro);
}

GArray *token_preprocess(struct ast *ast, const GArray *tokens, const struct parse_env *env)
{
	struct preproc pp = { .ast = ast, .env = env };
	const struct token *all = (const struct token *)tokens->data;

	pp.out = g_array_new(FALSE, FALSE, sizeof(struct token));
	pp.macros = token_macros_new();
	expand(&pp, (struct span){ all, tokens->len - 1 }, NULL);
	/* after a broken macro or conditional, further errors would be false alarms */
	if (pp.failed)
		g_array_set_size(pp.out, 0);
	g_array_append_val(pp.out, all[tokens->len - 1]);
	g_hash_table_destroy(pp.macros);
	return pp.out;
}
