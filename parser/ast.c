/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ast.c - memory of the tree: the arena, nodes, growing lists, deep copies.
 *
 * Everything lives in one obstack per struct ast and goes away with it.  Does
 * not parse, check or print.
 */
#include "parser/ast.h"

#include "parser/ast_walk.h"
#include "parser/preproc.h"

#include <obstack.h>
#include <string.h>

#define obstack_chunk_alloc	g_malloc
#define obstack_chunk_free	g_free

struct ast *ast_new(struct diag_sink *diag)
{
	struct ast *ast = g_new0(struct ast, 1);
	struct obstack *arena = g_new0(struct obstack, 1);

	obstack_init(arena);
	ast->arena = arena;
	ast->diag = diag;
	ast->sources = g_ptr_array_new_with_free_func((GDestroyNotify)source_free);
	ast->files = g_ptr_array_new();
	ast->macros = token_macros_new();
	return ast;
}

void ast_free(struct ast *ast)
{
	if (!ast)
		return;
	g_ptr_array_free(ast->files, TRUE);
	g_hash_table_destroy(ast->macros);
	g_ptr_array_free(ast->sources, TRUE);
	obstack_free((struct obstack *)ast->arena, NULL);
	g_free(ast->arena);
	g_free(ast);
}

void *ast_alloc(struct ast *ast, size_t bytes)
{
	return memset(obstack_alloc((struct obstack *)ast->arena, bytes), 0, bytes);
}

char *ast_strdup(struct ast *ast, const char *text)
{
	return text ? obstack_copy((struct obstack *)ast->arena, text, strlen(text) + 1) : NULL;
}

char *ast_printf(struct ast *ast, const char *format, ...)
{
	va_list args;
	char *text, *kept;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	kept = ast_strdup(ast, text);
	g_free(text);
	return kept;
}

struct ast_node *ast_node_new(struct ast *ast, enum ast_kind kind, struct loc loc)
{
	struct ast_node *node = ast_alloc(ast, sizeof(*node));

	node->kind = kind;
	node->loc = loc;
	node->mark = loc;
	return node;
}

void ast_append(struct ast *ast, struct ast_list *list, struct ast_node *node)
{
	if (list->n == list->room) {
		struct ast_node **at = list->at;

		list->room = list->room ? 2 * list->room : 4;
		list->at = ast_alloc(ast, list->room * sizeof(*at));
		if (list->n)
			memcpy(list->at, at, list->n * sizeof(*at));
	}
	list->at[list->n++] = node;
}

/* An arena copy of n elements; NULL for none. */
static void *copy_array(struct ast *ast, const void *from, size_t n, size_t element)
{
	return n ? memcpy(ast_alloc(ast, n * element), from, n * element) : NULL;
}

static void copy_list(struct ast *ast, struct ast_list *list)
{
	list->at = copy_array(ast, list->at, list->n, sizeof(*list->at));
	list->room = list->n;
}

static void copy_points(struct ast *ast, struct probe_point **points, unsigned n)
{
	*points = copy_array(ast, *points, n, sizeof(**points));
	for (unsigned i = 0; i < n; i++) {
		struct probe_point *p = &(*points)[i];

		p->comps = copy_array(ast, p->comps, p->ncomps, sizeof(*p->comps));
	}
}

/* Gives a copied node arrays of its own; flat switch over kinds. */
static void own_members(struct ast *ast, struct ast_node *node)
{
	switch (node->kind) {
	case AST_TARGET:
		node->u.target.suffixes =
			copy_array(ast, node->u.target.suffixes, node->u.target.nsuffixes,
				   sizeof(*node->u.target.suffixes));
		break;
	case AST_INDEX:
		copy_list(ast, &node->u.index.keys);
		break;
	case AST_CALL:
		copy_list(ast, &node->u.call.args);
		break;
	case AST_PRINT:
		copy_list(ast, &node->u.print.args);
		if (node->u.print.columns)
			node->u.print.columns =
				copy_array(ast, node->u.print.columns, node->u.print.args.n,
					   sizeof(*node->u.print.columns));
		break;
	case AST_IN:
		copy_list(ast, &node->u.in.keys);
		break;
	case AST_ATOP:
		copy_list(ast, &node->u.atop.args);
		break;
	case AST_CONCAT:
	case AST_BLOCK:
	case AST_FILE:
		copy_list(ast, &node->u.list);
		break;
	case AST_FOREACH:
		node->u.foreach.keys = copy_array(ast, node->u.foreach.keys, node->u.foreach.nkeys,
						  sizeof(*node->u.foreach.keys));
		copy_list(ast, &node->u.foreach.slice);
		break;
	case AST_FUNCTION:
		node->u.function.params =
			copy_array(ast, node->u.function.params, node->u.function.nparams,
				   sizeof(*node->u.function.params));
		break;
	case AST_PROBE:
		copy_points(ast, &node->u.probe.points, node->u.probe.npoints);
		break;
	case AST_ALIAS:
		copy_points(ast, &node->u.alias.names, node->u.alias.nnames);
		copy_points(ast, &node->u.alias.points, node->u.alias.npoints);
		break;
	default:
		break;
	}
}

static void copy_child(struct ast_node **slot, void *data)
{
	*slot = ast_copy(data, *slot);
}

struct ast_node *ast_copy(struct ast *ast, const struct ast_node *node)
{
	struct ast_node *copy;

	if (!node)
		return NULL;
	copy = copy_array(ast, node, 1, sizeof(*node));
	own_members(ast, copy);
	ast_children(copy, copy_child, ast);
	return copy;
}

void ast_expand_loc(struct ast *ast, struct loc *loc, const struct expansion *via)
{
	struct expansion *inner;

	if (loc->via) {
		/* others share this chain: continue in a copy */
		inner = copy_array(ast, loc->via, 1, sizeof(*inner));
		ast_expand_loc(ast, &inner->at, via);
		via = inner;
	}
	loc->via = via;
}

struct expanding {
	struct ast	*ast;
	const struct expansion *via;
};

static int expand_node(struct ast_node **slot, void *data)
{
	struct expanding *e = data;
	struct ast_node *n = *slot;

	ast_expand_loc(e->ast, &n->loc, e->via);
	ast_expand_loc(e->ast, &n->mark, e->via);
	if (n->kind == AST_FOREACH) {
		ast_expand_loc(e->ast, &n->u.foreach.value_loc, e->via);
		for (unsigned i = 0; i < n->u.foreach.nkeys; i++)
			ast_expand_loc(e->ast, &n->u.foreach.keys[i].loc, e->via);
	} else if (n->kind == AST_TRY) {
		ast_expand_loc(e->ast, &n->u.try_.name_loc, e->via);
	} else if (n->kind == AST_TARGET) {
		for (unsigned i = 0; i < n->u.target.nsuffixes; i++)
			ast_expand_loc(e->ast, &n->u.target.suffixes[i].loc, e->via);
	}
	return 1;
}

void ast_mark_expanded(struct ast *ast, struct ast_node *node, const struct expansion *via)
{
	struct expanding e = { ast, via };

	ast_walk(&node, expand_node, &e);
}

const char *ast_kind_word(enum ast_kind kind)
{
	static const char *const words[] = {
#define AST(kind, word, member) [AST_##kind] = word,
#include "parser/ast.def"
#undef AST
	};

	_Static_assert(G_N_ELEMENTS(words) == AST_KINDS, "ast.def: every kind has a word");
	return words[kind];
}

const char *type_word(enum ast_type type)
{
	static const char *const words[] = {
		[TYPE_UNKNOWN] = "unknown",
		[TYPE_LONG] = "long",
		[TYPE_STRING] = "string",
		[TYPE_STATS] = "stats",
	};

	return words[type];
}
