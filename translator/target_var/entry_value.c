/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * entry_value.c - see entry_value.h. Values are stored in the memory that the runtime has for each
 * active call (c->hit, rt_kept()), so recursion and threads need no array. The keeper is not armed:
 * the return's probe calls it.
 */
#include "translator/target_var/entry_value.h"

#include "parser/ast_print.h"
#include "parser/ast_walk.h"
#include "translator/families/family.h"
#include "translator/families/shared.h"

#include <string.h>

static int find_local(struct ast_node **slot, void *data)
{
	const struct var **found = data;

	if ((*slot)->kind == AST_NAME && (*slot)->u.name.var && !(*slot)->u.name.var->global)
		*found = (*slot)->u.name.var;
	return 1;
}

/* Probe p's keeper: the same probe at the entry; made on first use. */
static struct probe *keeper_of(struct program *prog, struct probe *p)
{
	struct probe *k = ast_alloc(prog->ast, sizeof(*k));
	void *row = ast_alloc(prog->ast, p->family->row_bytes);
	const char *tail = strstr(p->point, ".return");

	if (p->keeper)
		return p->keeper;
	memcpy(row, p->row, p->family->row_bytes);
	p->family->enter_row(row);
	*k = *p;
	k->row = row;
	k->way &= ~(RT_WAY_REPLACES | RT_WAY_INSTRUCTIONS);
	k->point = k->written = ast_printf(prog->ast, "%.*s", (int)(tail - p->point), p->point);
	k->body = ast_node_new(prog->ast, AST_BLOCK, p->loc);
	k->condition = NULL;
	k->locals = g_ptr_array_new();
	k->kept = g_ptr_array_new();
	k->keeps_for = p;
	p->keeper = k;
	g_ptr_array_add(prog->probes, k);
	return k;
}

static struct ast_node *name_of(struct program *prog, struct var *var)
{
	struct ast_node *n = ast_node_new(prog->ast, AST_NAME, var->loc);

	n->mark = var->loc;
	n->u.name.name = var->name;
	n->u.name.var = var;
	return n;
}

/* The variable that already keeps an expression, or NULL; its name is the expression's text. */
static struct var *kept_already(const struct probe *keeper, const char *text)
{
	for (unsigned i = 0; i < keeper->kept->len; i++)
		if (!strcmp(((struct var *)keeper->kept->pdata[i])->name, text))
			return keeper->kept->pdata[i];
	return NULL;
}

struct ast_node *entry_value_keep(struct program *prog, struct probe *p, struct ast_node *value,
				  const char **why)
{
	const struct var *local = NULL;
	struct ast_node *set, *statement;
	struct probe *keeper;
	struct var *var;
	char *text;

	ast_walk(&value, find_local, &local);
	if (local) {
		*why = ast_printf(prog->ast, "what is known at the entry; '%s' is a local variable of this probe", local->name);
		return NULL;
	}
	if (!family_is_return(p)) {
		*why = "a probe at a function's return";
		return NULL;
	}
	keeper = keeper_of(prog, p);
	text = ast_print(value);
	var = kept_already(keeper, text);
	if (var) {
		g_free(text);
		return name_of(prog, var);
	}
	var = ast_alloc(prog->ast, sizeof(*var));
	var->name = ast_strdup(prog->ast, text);
	g_free(text);
	var->loc = value->loc;
	g_ptr_array_add(keeper->kept, var);

	set = ast_node_new(prog->ast, AST_ASSIGN, value->loc);
	set->mark = value->mark;
	set->u.binary.op = "=";
	set->u.binary.left = name_of(prog, var);
	set->u.binary.right = value;
	statement = ast_node_new(prog->ast, AST_EXPR, value->loc);
	statement->u.expr.expr = set;
	ast_append(prog->ast, &keeper->body->u.list, statement);
	return name_of(prog, var);
}
