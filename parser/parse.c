/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse.c - ast_parse(): pushes tokens into the grammar, and resumes after errors.
 *
 * Input: a source; output: a FILE node, or messages. This is the layer between scanner and grammar:
 * macros have been expanded, and each token gets the type for its position. Does not check names or
 * types.
 */
#include "parser/parse.h"

#include "parser/grammar.h"
#include "parser/lex.h"
#include "parser/parser.h"
#include "parser/preproc.h"
#include "parser/token.h"

#include <string.h>

const struct token *parse_token(const struct parser *p, unsigned i)
{
	return &g_array_index(p->tokens, struct token, MIN(i, p->tokens->len - 1));
}

static int is_word(const struct token *t, const char *word)
{
	return t->kind == TOKEN_IDENT && !strcmp(t->text, word);
}

/* ---- types that depend on the place ------------------------------------------------------- */

static int is_piece(const struct token *t)
{
	return t->kind == TOKEN_IDENT || t->kind == TOKEN_KEYWORD || t->type == '*';
}

/* The innermost open bracket: its character, or 0. */
static int bracket(const struct parser *p)
{
	return p->open->len
		       ? parse_token(p, g_array_index(p->open, unsigned, p->open->len - 1))->type
		       : 0;
}

static int is_glued(const struct parser *p, const struct token *t)
{
	return p->points && t->glued && p->next > p->points && is_piece(t) && is_piece(t - 1) &&
	       bracket(p) != '(' && bracket(p) != '[';
}

/* The type of the token at p->next. */
static int type_of(const struct parser *p)
{
	const struct token *t = parse_token(p, p->next);

	if (is_glued(p, t))
		return GLUED;
	switch (t->type) {
	case STRING:		/* before 2.0 a comment separated literals */
		if (p->next && t[-1].kind == TOKEN_STRING &&
		    (!t->commented || parse_since(p->env, "2.0")))
			return STRING_NEXT;
		break;
	case RETURN:
		if (t[1].type == ';' || t[1].type == '}')
			return RETURN_VOID;
		break;
	case '?':
		if (!parse_since(p->env, "4.0"))
			return QUESTION_OLD;
		break;
	default:
		break;
	}
	return t->type;
}

/* ---- clauses that are text ---------------------------------------------------------------- */

static const struct {
	const char *word;
	int type;
	const char *what;	/* expected after it */
} clauses[] = {
	{ "to", TO, "the point where the time ends" },
	{ "by", BY, "the keys of the rows" },
	{ "with", WITH, "an event" },
	{ "show", SHOW, "raw, hist, narrow, csv or json" },
};

static int opens_declaration(const struct token *t)
{
	return t->type == PROBE || t->type == GLOBAL || t->type == FUNCTION || t->type == PRIVATE;
}

/* The same for a declaration of clauses, whose word is a name elsewhere. */
static int opens_clauses(const struct token *t)
{
	return t->type == STOPWATCH || t->type == PROFILE || t->type == CALLGRAPH;
}

/* True for the next declaration, or the next clause of this one. */
static int ends_clause(const struct parser *p, unsigned i)
{
	const struct token *t = parse_token(p, i);

	if (parse_token(p, i - 1)->type == '.')
		return 0;			/* a component of a point may have any of these
						 * names */
	if (t->kind == TOKEN_EOF || t->kind == TOKEN_EMBED || opens_declaration(t) ||
	    opens_clauses(t))
		return 1;
	for (size_t k = 0; k < G_N_ELEMENTS(clauses); k++) {
		if (is_word(t, clauses[k].word))
			return 1;
	}
	return 0;
}

/*
 * Index after the text that begins at i: up to a comma outside brackets, the end of the clause, or
 * junk.
 */
static unsigned behind_part(const struct parser *p, unsigned i)
{
	unsigned depth = 0;

	for (; ; i++) {
		const struct token *t = parse_token(p, i);

		if (t->kind == TOKEN_EOF || t->kind == TOKEN_JUNK ||
		    (!depth && (t->type == ',' || ends_clause(p, i))))
			return i;
		depth += t->type == '(' || t->type == '[' || t->type == '{';
		depth -= depth && (t->type == ')' || t->type == ']' || t->type == '}');
	}
}

/* The type of the token at p->next, and the index after it. */
static int clause_type(struct parser *p, unsigned *behind)
{
	const struct token *t = parse_token(p, p->next);

	*behind = behind_part(p, p->next);
	if (*behind != p->next)
		return PART;
	*behind = p->next + 1;
	for (size_t k = 0; k < G_N_ELEMENTS(clauses); k++) {
		if (is_word(t, clauses[k].word)) {
			p->clause = clauses[k].what;
			return clauses[k].type;
		}
	}
	return t->type;
}

/* ---- error recovery ------------------------------------------------------------- */

static int begins_line(const struct token *t)
{
	guint at = t->loc.start;

	if (!t->loc.src)
		return 0;
	while (at && strchr(" \t", t->loc.src->text[at - 1]))
		at--;
	return !at || t->loc.src->text[at - 1] == '\n';
}

/*
 * True if token i opens a declaration, or ends the file. A component or a member may have that
 * name, and any name may be a word of clauses, but hardly at the beginning of a line.
 */
static int at_declaration(const struct parser *p, unsigned i)
{
	const struct token *t = parse_token(p, i);
	int before = i ? parse_token(p, i - 1)->type : 0;

	if (t->kind == TOKEN_EOF)
		return 1;
	if (before == '.' || before == ARROW)
		return 0;
	return opens_declaration(t) || (opens_clauses(t) && begins_line(t));
}

static void go_on_at_declaration(struct parser *p)
{
	for (p->next = p->at;
	     !at_declaration(p, p->next) && parse_token(p, p->next)->kind != TOKEN_EMBED; p->next++)
		;
	g_array_set_size(p->open, 0);
	p->in_function = 0;
	p->deep = 0;
	p->blocks = 0;
	p->points = 0;
	p->clause = NULL;
}

static int opens_statement(const struct token *t)
{
	switch (t->type) {
	case IF: case FOR: case FOREACH: case WHILE: case RETURN: case DELETE: case BREAK:
	case CONTINUE: case NEXT: case TRY:
		return 1;
	default:
		return 0;
	}
}

/*
 * Closes the brackets inside the innermost block; returns their number, and in *in_for whether the
 * outermost one is a for's.
 */
static unsigned leave_brackets(struct parser *p, int *in_for)
{
	unsigned n = 0;

	for (*in_for = 0; bracket(p) == '(' || bracket(p) == '['; n++) {
		unsigned i = g_array_index(p->open, unsigned, p->open->len - 1);

		*in_for = i && parse_token(p, i - 1)->type == FOR;
		g_array_set_size(p->open, p->open->len - 1);
	}
	return n;
}

/*
 * Skips the statement with the error: to a ';', to the end of a block, to a word that opens a
 * statement, or to the end of the enclosing block. Returns 0 if a declaration comes first.
 */
static int go_on_at_statement(struct parser *p)
{
	int in_for;
	unsigned blocks = 0, brackets = leave_brackets(p, &in_for);

	for (unsigned i = p->at; !at_declaration(p, i); i++) {
		const struct token *t = parse_token(p, i);
		int next = parse_token(p, i + 1)->type;

		p->next = i;
		if (!blocks && (t->type == '}' || opens_statement(t)))
			return 1;
		p->next = i + 1;
		blocks += t->type == '{';
		if (t->type == '}' && !--blocks && !brackets && next != ELSE && next != CATCH)
			return 1;
		if (blocks)
			continue;
		if (t->type == ';' && !(brackets && in_for))
			return 1;
		brackets += t->type == '(' || t->type == '[';
		brackets -= brackets && (t->type == ')' || t->type == ']');
	}
	return 0;
}

/* ---- pushing ------------------------------------------------------------------------------ */

/* Tracks brackets: the token at p->at has been accepted. */
static void parse_status(struct parser *p, int type)
{
	if (type == '(' || type == '[' || type == '{')
		g_array_append_val(p->open, p->at);
	else if ((type == ')' || type == ']' || type == '}') && p->open->len)
		g_array_set_size(p->open, p->open->len - 1);
}

static int push(struct parser *p, grammar_pstate *state)
{
	unsigned behind = p->next + 1;
	int type = p->clause ? clause_type(p, &behind) : type_of(p), status;
	struct extent extent = { parse_token(p, p->next), parse_token(p, behind - 1) };
	GRAMMAR_STYPE value = { .token = extent.first };

	p->at = p->next;
	p->next = behind;
	status = grammar_push_parse(state, type, &value, &extent, p);
	if (!p->failed)
		parse_status(p, type);
	return status;
}

/* After an error: pushes a placeholder for the skipped part, or restarts. */
static int go_on(struct parser *p, grammar_pstate *state, int status)
{
	struct extent extent = { parse_token(p, p->at), parse_token(p, p->at) };
	GRAMMAR_STYPE value = { .token = extent.first };
	int inside = status == YYPUSH_MORE && p->blocks;

	p->failed = 0;
	if (inside && go_on_at_statement(p))
		return grammar_push_parse(state, RESUME, &value, &extent, p);
	go_on_at_declaration(p);
	if (status == YYPUSH_MORE && !inside)
		return grammar_push_parse(state, RESUME, &value, &extent, p);
	return YYPUSH_MORE;
}

static void parse_file(struct parser *p)
{
	grammar_pstate *state = grammar_pstate_new();
	int status;

	do {
		unsigned blocks;

		status = push(p, state);
		if (!p->failed)
			continue;
		blocks = p->blocks;
		status = go_on(p, state, status);
		if (blocks && !p->blocks) {
			grammar_pstate_delete(state);
			state = grammar_pstate_new();
		}
	} while (status == YYPUSH_MORE && !p->other_tool && p->errors < PARSE_ERRORS_MAX);
	grammar_pstate_delete(state);
}

struct ast_node *ast_parse(struct ast *ast, struct source *src, const struct parse_env *env)
{
	struct parser p = { .ast = ast, .env = env };
	unsigned before = ast->diag->parse_errors;
	GArray *raw, *tokens;

	p.file = ast_node_new(ast, AST_FILE, (struct loc){ .src = src, .end = src->len });
	g_ptr_array_add(ast->sources, src);
	raw = token_lex(ast, src, env);
	tokens = token_preprocess(ast, raw, env);
	if (tokens->len == 1 && !env->is_tapset && ast->diag->parse_errors == before)
		diag(ast->diag, NULL, raw->len > 1 ? D_FILE_EMPTIED : D_FILE_EMPTY, src->name);
	p.tokens = tokens;
	p.open = g_array_new(FALSE, FALSE, sizeof(unsigned));
	parse_file(&p);
	g_array_free(p.open, TRUE);
	g_array_free(raw, TRUE);
	g_array_free(tokens, TRUE);
	if (ast->diag->parse_errors != before || p.errors)
		return NULL;
	g_ptr_array_add(ast->files, p.file);
	return p.file;
}
