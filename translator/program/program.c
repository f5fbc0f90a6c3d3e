/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program.c - makes and frees the struct program that the passes fill.
 *
 * Also a few queries of a program that several passes need.  Contains no language
 * rules: those are in passes/.
 */
#include "translator/program/program.h"

#include "translator/debuginfo/debuginfo.h"

#include <string.h>

void function_forget_sets(struct function *f)
{
	g_clear_pointer(&f->reads, g_hash_table_unref);
	g_clear_pointer(&f->writes, g_hash_table_unref);
	g_clear_pointer(&f->calls, g_hash_table_unref);
}

static void function_free(void *data)
{
	struct function *f = data;

	g_ptr_array_unref(f->params);
	g_ptr_array_unref(f->locals);
	function_forget_sets(f);
}

static void probe_free(void *data)
{
	struct probe *p = data;

	g_clear_pointer(&p->locals, g_ptr_array_unref);
	g_clear_pointer(&p->reads, g_hash_table_unref);
	g_clear_pointer(&p->writes, g_hash_table_unref);
	g_clear_pointer(&p->locks, g_array_unref);
}

struct program *program_new(const struct options *opt, struct diag_sink *diag)
{
	struct program *prog = g_new0(struct program, 1);

	prog->ast = ast_new(diag);
	prog->opt = opt;
	prog->globals = g_ptr_array_new();
	prog->functions = g_ptr_array_new_with_free_func(function_free);
	prog->probes = g_ptr_array_new_with_free_func(probe_free);
	prog->refused = g_hash_table_new(g_str_hash, g_str_equal);
	prog->dropped = g_ptr_array_new();
	prog->symbols = g_array_new(FALSE, FALSE, sizeof(struct rt_symbol));
	prog->events = g_array_new(FALSE, FALSE, sizeof(struct rt_event));
	return prog;
}

void program_free(struct program *prog)
{
	if (!prog)
		return;
	g_ptr_array_unref(prog->probes);
	g_ptr_array_unref(prog->functions);
	g_ptr_array_unref(prog->globals);
	g_hash_table_unref(prog->refused);
	g_ptr_array_unref(prog->dropped);
	if (prog->library)
		prog->close_library(prog->library);
	g_array_unref(prog->symbols);
	g_array_unref(prog->events);
	if (prog->info)
		debuginfo_close(prog->info);
	g_free(prog->c_text);
	g_free(prog->kernel_config);
	g_free(prog->module);
	g_free(prog->module_folder);
	ast_free(prog->ast);
	g_free(prog);
}

int program_is_users(const struct program *prog, const struct source *src)
{
	for (unsigned i = 0; i < prog->user_files; i++)
		if (((struct ast_node *)prog->ast->files->pdata[i])->loc.src == src)
			return 1;
	return 0;
}

struct function *function_new(struct program *prog, struct ast_node *node, int user)
{
	struct function *f = ast_alloc(prog->ast, sizeof(*f));

	f->name = node->u.function.name;
	f->node = node;
	f->user = user;
	f->type = node->u.function.type;
	f->type_loc = node->mark;
	f->params = g_ptr_array_new();
	f->locals = g_ptr_array_new();
	g_ptr_array_add(prog->functions, f);
	return f;
}

/* The word in a probe's C name: its function if it has one, else the first word of its point. */
static char *probe_word(const struct probe *p)
{
	const char *text = p->function ? p->function : p->point;
	char *word = g_strndup(text, strcspn(text, ".("));

	g_strcanon(word, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_", '_');
	return word;
}

void program_number(struct program *prog)
{
	for (unsigned i = 0; i < prog->globals->len; i++)
		((struct var *)prog->globals->pdata[i])->index = i;
	for (unsigned i = 0; i < prog->probes->len; i++) {
		struct probe *p = prog->probes->pdata[i];
		char *word = probe_word(p);

		p->index = i;
		p->cname = ast_printf(prog->ast, "p%u_%s", i, word);
		for (unsigned k = 0; p->kept && k < p->kept->len; k++) {
			struct var *var = p->kept->pdata[k];

			var->cname = ast_printf(prog->ast, "rt_kept(c)[%u].%s", k,
						var->type == TYPE_STRING ? "s" : "l");
		}
		g_free(word);
	}
}

gint64 program_symbol(struct program *prog, const char *name, const char *module, gint64 offset)
{
	struct rt_symbol new = { .offset = offset };

	for (unsigned i = 0; i < prog->symbols->len; i++) {
		const struct rt_symbol *s = &g_array_index(prog->symbols, struct rt_symbol, i);

		if (!strcmp(s->name, name) && !g_strcmp0(s->module, module) && s->offset == offset)
			return i;
	}
	new.name = ast_strdup(prog->ast, name);
	new.module = module ? ast_strdup(prog->ast, module) : NULL;
	g_array_append_val(prog->symbols, new);
	return prog->symbols->len - 1;
}
