/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture.c - what each probe needs read at the instant of the hit: the union
 * over the builtins its handler can reach.
 */
#include "translator/pass.h"
#include "translator/uses.h"

static void skip_var(struct var *var, unsigned use, struct ast_node *node, void *data)
{
}

static void add_builtin(struct ast_node *call, void *data)
{
	if (call->u.call.builtin)
		*(unsigned *)data |= call->u.call.builtin->capture;
}

struct reach {
	unsigned capture;
	GHashTable *seen;
};

static void add_call(struct ast_node *call, void *data);

static const struct use_visitor visitor = { .var = skip_var, .call = add_call };

static void add_call(struct ast_node *call, void *data)
{
	struct reach *r = data;

	add_builtin(call, &r->capture);
	for (struct function *f = call->u.call.function; f; f = f->overload)
		if (g_hash_table_add(r->seen, f))
			uses_walk(f->node->u.function.body, &visitor, r);
}

void pass_capture(struct program *prog)
{
	for (unsigned i = 0; i < prog->probes->len; i++) {
		struct probe *p = prog->probes->pdata[i];
		struct reach r = { .seen = g_hash_table_new(NULL, NULL) };

		uses_walk(p->body, &visitor, &r);
		g_hash_table_unref(r.seen);
		p->capture = r.capture;
	}
}
