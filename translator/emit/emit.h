/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * emit.h - what the files of emit/ share: one C file under construction.
 *
 * The emitter turns an annotated program into C text. An expression is simple
 * (it prints inside another) or complex (it needs statements first); emit_expr()
 * decides by doing: it writes the statements a value needs into the open block
 * and returns C text that is free of side effects and may be printed anywhere
 * in that block.  Each construct has one function that holds its text whole.
 */
#ifndef LAPWING_EMIT_H
#define LAPWING_EMIT_H

#include "translator/program/program.h"

/* An open { }: declarations come first in C as kernels are compiled, so both parts grow apart. */
struct block {
	struct block	*outer;
	GString		*decls, *body;
	unsigned	indent;
	GPtrArray	*temps;		/* struct temp */
};

/*
 * A local of a block that holds a value for one statement and is free for the next: handlers have room for few, and the compiler
 * gives each its own place on the stack.
 */
struct temp {
	const char	*type, *base, *name;
	unsigned	taken;		/* a number that grows, or 0: free */
};

/* What encloses the statement being written. */
enum scope_kind { SCOPE_LOOP, SCOPE_FOREACH, SCOPE_TRY };

struct scope {
	struct scope	*outer;
	enum scope_kind	kind;
	const char	*iter;		/* FOREACH: its rt_iter */
	const struct ast_node *row_of;	/* the FOREACH, when its row can be read through iter all the time, or NULL */
	const char	*leave;		/* TRY: variable that remembers a break (1) or continue (2) through it, or NULL */
};

struct emitter {
	struct program	*prog;
	GString		*out;		/* finished text */
	GHashTable	*format_ids, *near_ids;	/* text -> row */
	GPtrArray	*formats;	/* char *: "text\0kinds" rows as C */
	GPtrArray	*near;		/* char * */
	GHashTable	*regexes;	/* pattern -> number, from 1 */
	GHashTable	*handlers;	/* body as C, owned -> name of the function that has it */
	int		keeps_matches;	/* the script asks for matched() */
	gint64		maxstring;
	/* of the function being written */
	struct function	*function;	/* NULL in a probe */
	struct block	*block;
	struct scope	*scope;
	GHashTable	*counts;	/* base name -> how many */
	unsigned	taken;		/* temps taken so far */
	const struct ast_node *computed, *assignment;	/* what += computes, and the += */
};

/* -- out.c: text -- */
void emit_line(struct emitter *e, const char *format, ...) G_GNUC_PRINTF(2, 3);	/* into the open block, indented */
void emit_decl(struct emitter *e, const char *format, ...) G_GNUC_PRINTF(2, 3);
struct block *block_open(struct emitter *e, unsigned indent);
/* Closes the innermost block and appends its declarations and body to where; 1: it was empty. */
int block_close(struct emitter *e, GString *where);
/* A C string literal with quotes from script text whose escapes are kept; cut so that it holds at most max bytes. */
char *c_literal(const char *text, gint64 max);
char *c_literal_raw(const char *bytes);		/* from plain bytes */
/* "script:line  source" for the comment above a definition; safe inside a comment. Caller frees. */
char *source_comment(const struct loc *loc);
/* value1, key2 ...: unique in the function. Lives in the ast's arena. */
const char *emit_name(struct emitter *e, const char *base);
/* Such a name, declared in the open block with that C type ("s64 "), until the statement ends. Its value is whatever it was. */
const char *emit_temp(struct emitter *e, const char *type, const char *base);
/* Ends a statement: what was taken in the open block since e->taken was that is free again. */
void emit_give_back(struct emitter *e, unsigned taken);

/* -- names and rows -- */
unsigned emit_near(struct emitter *e, const struct ast_node *node);
unsigned emit_format(struct emitter *e, const char *text, const char *kinds);

/* -- expr.c -- */
const char *emit_expr(struct emitter *e, struct ast_node *node);
/* A value that is used only after later[0..n) have been evaluated. */
const char *emit_before(struct emitter *e, struct ast_node *node, struct ast_node **later, unsigned n);
/* As a statement: the value is not wanted. */
void emit_effect(struct emitter *e, struct ast_node *node);
/* "if (rt_failed(c, N)) leave" */
void emit_check(struct emitter *e, const struct ast_node *node);
/* The key struct for an array access, as a named local; returns "&name". wild: bit per '*'. */
const char *emit_key(struct emitter *e, struct var *var, const struct ast_list *keys, unsigned *wild);
const char *emit_text(struct emitter *e, const char *format, ...) G_GNUC_PRINTF(2, 3);	/* in the arena */
/* "struct rt_statval" expression for @count(x) and friends. */
const char *emit_statval(struct emitter *e, struct ast_node *operand);

/* -- assign.c -- */
const char *emit_assign(struct emitter *e, struct ast_node *node, int wanted);
const char *emit_crement(struct emitter *e, struct ast_node *node, int wanted);
const char *emit_read(struct emitter *e, struct var *var);

/* -- embed.c -- */
void emit_embedded_texts(struct emitter *e);		/* what stands outside of functions and probes */
void emit_embedded_function(struct emitter *e, const struct function *f, const char *signature);
const char *emit_embedded(struct emitter *e, struct ast_node *node);		/* a value */
void emit_embedded_statement(struct emitter *e, struct ast_node *node);

/* -- regex.c -- */
void emit_regexes(struct emitter *e);		/* tables of all patterns */
const char *emit_regex(struct emitter *e, struct ast_node *node);

/* -- call.c, print.c -- */
const char *emit_call(struct emitter *e, struct ast_node *node);
const char *emit_print(struct emitter *e, struct ast_node *node);

/* -- stmt.c, loop.c -- */
void emit_stmt(struct emitter *e, struct ast_node *node);
void emit_body(struct emitter *e, struct ast_node *node);		/* a nested block's content */
void emit_loop(struct emitter *e, struct ast_node *node);
void emit_foreach(struct emitter *e, struct ast_node *node);
void emit_leave_if(struct emitter *e, const char *condition);	/* leave because of a failure */
void emit_break(struct emitter *e, int is_continue);
void emit_return(struct emitter *e, const char *value);
int stmt_cost(struct ast_node *node);			/* statements without those of inner loops */
int makes_strings(struct ast_node *node);			/* does evaluating it take arena memory */

/* -- row.c -- */
int row_stays(struct ast_node *loop);			/* no statement of its body changes its array or keys */
/* The rt_iter of an enclosing loop that stands at this element, or NULL. */
const char *row_iterator(const struct emitter *e, const struct ast_node *index);

/* -- global.c, function.c, probe.c, table.c, unit.c -- */
void emit_globals(struct emitter *e);
void emit_functions(struct emitter *e);
void emit_probes(struct emitter *e);
void emit_tables(struct emitter *e);
char *emit_unit(struct program *prog);		/* the whole file; caller frees */
const char *c_type(enum ast_type type);

#endif
