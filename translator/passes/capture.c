/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture.c - each probe's capture mask, the values to read at the instant of the
 * hit: the union over the builtins that its handler can reach. Refuses builtins
 * that the runtime does not have.
 */
#include "translator/families/family.h"
#include "translator/families/user_site.h"
#include "translator/passes/pass.h"
#include "translator/program/options.h"
#include "translator/program/privilege.h"
#include "translator/program/uses.h"
#include "translator/target_var/unread.h"
#include "translator/target_var/uprobe_fetch.h"

struct reach {
	const struct program *prog;
	const struct probe *probe;
	unsigned capture;
	GHashTable *seen;
	/* the enclosing call in the user's script, where errors are reported; NULL: none */
	const struct ast_node *via;
};

/*
 * The user runtime has registers only at probes in user programs, where they are fetched at the hit
 * (uprobe_fetch.c).
 */
static int is_refused(const struct reach *r, const struct builtin *b)
{
	if (!(b->capture & RT_CAP_KERNEL) || !r->prog->opt || r->prog->opt->runtime != RUNTIME_USER)
		return 0;
	return !(b->capture & RT_CAP_REGS && !(b->flags & EFFECT) && user_site_of(r->probe));
}

static void take_builtin(struct reach *r, const struct ast_node *call)
{
	const struct builtin *b = call->u.call.builtin;
	const struct ast_node *at = r->via ? r->via : call;

	r->capture |= b->capture;
	if (is_refused(r, b))
		diag(r->prog->ast->diag, &at->mark, D_FUNCTION_RUNTIME, at->u.call.name);
}

/* What a record needs besides its values: of which thread it is, and its stacks. */
static void add_output(struct ast_node *print, void *data)
{
	const struct ast_node *const *args = (const struct ast_node *const *)print->u.print.args.at;
	struct reach *r = data;

	if (!print->u.print.columns)
		return;
	r->capture |= RT_CAP_TRACE | RT_CAP_TASK | RT_CAP_CPU;
	for (unsigned i = 0; i < print->u.print.args.n; i++) {
		char kind = print->u.print.columns[i].kind;
		int is_stack = kind == RT_COLUMN_STACK, is_known = args[i]->kind == AST_NUMBER;

		if (kind != RT_COLUMN_LONG && kind != RT_COLUMN_STRING)
			r->capture |= RT_CAP_NAMES;
		if (is_stack && !(is_known && args[i]->u.number.value))
			r->capture |= RT_CAP_STACK;
		if (is_stack && !(is_known && !args[i]->u.number.value))
			r->capture |= RT_CAP_USTACK;
	}
}

static void add_call(struct ast_node *call, void *data);

static const struct use_visitor visitor = { .call = add_call, .output = add_output };

static void add_call(struct ast_node *call, void *data)
{
	struct reach *r = data;
	const struct ast_node *before = r->via;

	if (program_is_users(r->prog, call->mark.src))
		r->via = call;
	if (call->u.call.builtin)
		take_builtin(r, call);
	for (struct function *f = call->u.call.function; f; f = f->overload) {
		struct ast_node *body = f->node->u.function.body;

		if (!g_hash_table_add(r->seen, f))
			continue;
		if (body->kind == AST_EMBED && privilege_is_own_only(r->prog, body->u.embed.text))
			r->capture |= RT_CAP_TASK | RT_CAP_CRED;
		uses_walk(body, &visitor, r);
	}
	r->via = before;
}

/*
 * RT_CAP_CALLER where the function has no frame yet, so that a stack walk would miss the caller;
 * else 0.
 */
static unsigned caller_of(const struct probe *p, unsigned capture)
{
	const struct user_site *site = user_site_of(p);

	return capture & RT_CAP_USTACK && site && site->no_frame && !site->row.is_return
		       ? RT_CAP_CALLER
		       : 0;
}

void pass_capture(struct program *prog)
{
	for (unsigned i = 0; i < prog->probes->len; i++) {
		struct probe *p = prog->probes->pdata[i];
		struct reach r = { .prog = prog, .probe = p, .seen = g_hash_table_new(NULL, NULL) };

		uses_walk(p->body, &visitor, &r);
		g_hash_table_unref(r.seen);
		p->capture =
			r.capture | (p->family->in_nmi && p->family->in_nmi(p) ? RT_CAP_NMI : 0) |
			(p->keeper || p->keeps_for ? RT_CAP_KEPT : 0) | caller_of(p, r.capture) |
			(r.capture & RT_CAP_STACK ? p->family->with_stack : 0);
		if (prog->opt && prog->opt->runtime == RUNTIME_USER && user_site_of(p))
			uprobe_fetch_probe(prog, p);
		if (prog->opt && prog->opt->runtime == RUNTIME_USER && p->phase == RT_RUNNING)
			p->unread = unread_names(prog, p);
	}
}
