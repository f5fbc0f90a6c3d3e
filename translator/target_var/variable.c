/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * variable.c - see variable.h: the initial locations of $x, $return, @cast and @var.
 */
#include "translator/target_var/variable.h"

#include "parser/ast_print.h"
#include "translator/debuginfo/files.h"
#include "translator/families/shared.h"
#include "translator/program/builtins.h"
#include "translator/target_var/ambient.h"
#include "translator/debuginfo/btf.h"
#include "translator/debuginfo/debuginfo.h"
#include "translator/families/user_site.h"
#include "translator/target_var/argument.h"
#include "translator/target_var/dwarf_location.h"
#include "translator/target_var/kprobe_fetch.h"
#include "translator/families/family_variable.h"
#include "translator/program/options.h"
#include "translator/target_var/location.h"
#include "translator/target_var/pretty.h"
#include "translator/target_var/tracepoint_field.h"
#include "translator/target_var/user_variable.h"
#include "translator/target_var/perf_counter.h"

#include <string.h>

/* ---- the initial location -------------------------------------------------------*/

/*
 * A type by name: "struct x", "union x", "enum x" or a plain name; *stars: number of stars after
 * it.
 */
static guint32 named_type(struct lowering *l, const char *text, int *stars)
{
	static const struct {
		const char *word;
		enum btf_kind kind;
	} kinds[] = {
		{ "struct ", BTF_STRUCT }, { "union ", BTF_UNION }, { "enum ", BTF_ENUM },
		{ "", BTF_STRUCT },	   { "", BTF_UNION },	    { "", BTF_TYPEDEF },
		{ "", BTF_INT },	   { "", BTF_ENUM },	    { "enum ", BTF_ENUM64 },
		{ "", BTF_ENUM64 },
	};
	char *name = g_strdup(text);
	guint32 id = 0;

	for (*stars = 0; *name && strchr("* ", name[strlen(name) - 1]); name[strlen(name) - 1] = 0)
		*stars += name[strlen(name) - 1] == '*';
	for (unsigned i = 0; i < G_N_ELEMENTS(kinds) && !id; i++)
		if (g_str_has_prefix(name, kinds[i].word))
			id = btf_find(l->btf, name + strlen(kinds[i].word), kinds[i].kind);
	g_free(name);
	return id;
}

const char *variable_module(const struct probe *probe)
{
	if (probe && probe->family->row == ROW_FUNCTION)
		return ((const struct rt_function *)probe->row)->module;
	return probe && probe->family->row == ROW_TRACEPOINT
		       ? ((const struct rt_tracepoint *)probe->row)->module
		       : NULL;
}

/*
 * The module that a cast names; NULL: none, or the kernel. "kernel<linux/fs.h>" names headers, and
 * BTF has their types; so it may have those of "<...>" that no program can include.
 */
static const char *cast_module(const struct ast_node *target)
{
	const char *module =
		target->u.target.form == TARGET_DOLLAR ? NULL : target->u.target.module;

	return !module || strpbrk(module, "<>") || !strcmp(module, "kernel") ||
			       !strcmp(module, "vmlinux")
		       ? NULL
		       : module;
}

/* The module in which the node's types are looked up. */
static const char *module_asked(const struct lowering *l)
{
	const char *module = cast_module(l->node);

	return module ? module : variable_module(l->probe);
}

/* A cast's type, from the program or from the kernel. */
static guint32 cast_type(struct lowering *l, const char *text)
{
	int stars;
	char *name;
	guint32 id;

	id = l->user ? 0 : named_type(l, text, &stars);
	if (id)
		return id;
	name = g_strchomp(g_strndup(text, strcspn(text, "*")));
	id = l->user ? user_type(l, name) : dwarf_location_type(l, name, module_asked(l));
	g_free(name);
	return id;
}

/* A cast's operand is an address of the type, or, without further steps, a value of the type. */
static struct location cast(struct lowering *l)
{
	const char *text = l->node->u.target.type_name;
	guint32 id = cast_type(l, text);
	const char *problem = id || l->user ? NULL : user_headers_problem(l);

	if (!id)
		return location_fail(
			l,
			problem ? problem
				: ast_printf(l->prog->ast, "%s has no type '%s'",
				   l->user ? "the program's debuginfo" : "the kernel's BTF", text));
	if (!l->node->u.target.nsuffixes && !l->node->u.target.address_of)
		return (struct location){ .where = COMPUTED,
					  .type = id,
					  .base = l->node->u.target.operand };
	return (struct location){
		.where = IN_MEMORY, .type = id, .base = l->node->u.target.operand, .is_cast = 1
	};
}

static const struct builtin symbol = { "symbol", TYPE_LONG, "l", "rt_symbol", CTX | FAILS, 0, "" };

struct ast_node *lower_symbol(struct lowering *l, const char *name, const char *module,
			      gint64 offset)
{
	return lower_call(l, &symbol,
			  lower_number(l, program_symbol(l->prog, name, module, offset)), NULL,
			  NULL);
}

/* A global by DWARF: of the named module; else of the probe's module, then of the kernel. */
static struct location kernel_global(struct lowering *l, const char *name, const char *file)
{
	const char *named = l->node->u.target.module,
		   *module = named ? cast_module(l->node) : variable_module(l->probe);
	struct location p = dwarf_location_global(l, name, file, module);

	if (p.where != IN_NONE || named || !module)
		return p;
	l->why = NULL;
	return dwarf_location_global(l, name, file, NULL);
}

/* A global: by DWARF; without DWARF, kallsyms has a kernel variable's address, but BTF no type. */
static struct location global(struct lowering *l)
{
	char *name = g_strndup(l->node->u.target.name, strcspn(l->node->u.target.name, "@"));
	const char *at = strchr(l->node->u.target.name, '@');
	struct location p = l->user ? user_global(l, name, at ? at + 1 : NULL)
				    : kernel_global(l, name, at ? at + 1 : NULL);
	const char *why;

	if (p.where != IN_NONE || l->why) {
		g_free(name);
		return p;
	}
	p.where = IN_MEMORY;
	debuginfo_dwarf(l->prog->info, cast_module(l->node), &why);
	if (l->node->u.target.address_of && !l->node->u.target.nsuffixes)
		p.base = lower_symbol(l, name, cast_module(l->node), 0);
	else
		p = location_fail(
			l,
			ast_printf(
				l->prog->ast,
				"the type of '%s' is not known without debuginfo (%s); its address is: "
				"@cast(&@var(\"%s\"), \"type\")",
				name, why, name));
	g_free(name);
	return p;
}

/* $name in a function: a variable in scope at the probe, else one of the source file. */
static struct location in_scope(struct lowering *l, const char *name)
{
	int inside = l->probe->place && !family_is_return(l->probe),
	    is_function = l->probe->family->row == ROW_FUNCTION;
	const struct btf *btf = l->btf;
	struct location p = inside ? dwarf_location_variable(l, name) : argument_location(l, name),
			of_file = { .where = IN_NONE };

	if (p.where == IN_NONE && is_function)
		of_file = dwarf_location_file_global(l, name);
	if (of_file.where == IN_NONE) {
		l->btf = p.where == IN_NONE ? btf : l->btf;
		return p;
	}
	l->why = NULL;
	return of_file;
}

/* @var("x") is $x where the probe has such; else a global. */
static struct location variable_by_name(struct lowering *l, const char *name)
{
	struct location p = { .where = IN_NONE };

	if (l->node->u.target.module || strchr(name, '@') || !l->probe)
		return global(l);
	if (user_site_of(l->probe))
		p = user_variable(l, name);
	else if (l->probe->family->row == ROW_FUNCTION || l->probe->family->row == ROW_TRACEPOINT)
		p = in_scope(l, name);
	if (p.where != IN_NONE)
		return p;
	l->why = NULL;
	return global(l);
}

static struct location begin(struct lowering *l)
{
	const char *name = l->node->u.target.name;

	switch (l->node->u.target.form) {
	case TARGET_CAST:
		return cast(l);
	case TARGET_DOLLAR:
		if (user_site_of(l->probe))
			return user_variable(l, name + 1);
		return !strcmp(name, "$return") ? argument_result(l) : in_scope(l, name + 1);
	default:
		return variable_by_name(l, name);
	}
}

/* ---- lists of variables --------------------------------------------------------*/

/* Appends name=0x1; for $$vars$ and similar, in the format of $name$, with decimal numbers. */
static void list_value(struct lowering *l, GString *format, GPtrArray *args, const char *name,
		       struct location p)
{
	const struct ast_suffix *pretty =
		l->node->u.target.nsuffixes ? l->node->u.target.suffixes : NULL;
	struct ast_node *value = !pretty ? location_value(l, p)
				 : p.where == IN_NONE
					 ? NULL
					 : pretty_value(l, p, !strcmp(pretty->member, "$$"));

	g_string_append_printf(format, "%s%s=%s", format->len ? " " : "", name,
			       !value ? "?"
			       : pretty ? "%s"
			       : "%#x");
	if (value)
		g_ptr_array_add(args, value);
	l->why = NULL;
}

/* The probed tracepoint's system; "": only tracefs of a running kernel has it. */
static const char *tracepoint_system(struct lowering *l)
{
	GArray *found = debuginfo_tracepoints(l->prog->info, l->probe->function, NULL);
	const char *system = ((const struct rt_tracepoint *)l->probe->row)->system;

	if (found->len && g_array_index(found, struct debuginfo_tracepoint, 0).system)
		system = g_array_index(found, struct debuginfo_tracepoint, 0).system;
	g_array_unref(found);
	return system ? system : "";
}

/* The names that $$vars, $$parms or $$locals list: BTF's parameters, or DWARF's names in scope. */
static GPtrArray *listed_names(struct lowering *l, const char *list)
{
	int parameters = strcmp(list, "$$locals") != 0, locals = strcmp(list, "$$parms") != 0;
	GPtrArray *names;
	struct btf_field field;
	unsigned skip = 0;
	guint32 proto;

	if (user_site_of(l->probe))
		return user_names(l, parameters, locals);
	if (l->probe->place && !family_is_return(l->probe))
		return dwarf_location_names(l, parameters, locals);
	names = g_ptr_array_new();
	/* only known names are listed: none without a prototype */
	proto = parameters ? argument_prototype(l, &skip) : 0;
	for (unsigned i = skip; proto && btf_field(l->btf, proto, i, &field); i++)
		if (*field.name)
			g_ptr_array_add(names, (void *)field.name);
	l->why = NULL;
	return names;
}

static void list_names(struct lowering *l, GString *format, GPtrArray *args, const char *list)
{
	GPtrArray *names = listed_names(l, list);
	const struct btf *btf = l->btf;

	for (guint i = 0; i < names->len; i++) {
		const char *name = names->pdata[i];
		struct location p = user_site_of(l->probe) ? user_variable(l, name)
				    : l->probe->place && !family_is_return(l->probe)
					    ? dwarf_location_variable(l, name)
					    : argument_location(l, name);

		list_value(l, format, args, name, p);
		l->btf = btf;
	}
	g_ptr_array_unref(names);
}

/* $$vars, $$parms, $$return, $$locals; $$name and $$system. */
static struct ast_node *lower_list(struct lowering *l, const char *name)
{
	static const char *const lists[] = { "$$vars", "$$parms", "$$locals", NULL };
	GString *format = g_string_new(NULL);
	GPtrArray *args = g_ptr_array_new();
	struct ast_node *n = NULL;
	unsigned skip;
	int known = 1;

	if (g_strv_contains(lists, name))
		list_names(l, format, args, name);
	else if (user_site_of(l->probe) && user_text(l, name))
		g_string_assign(format, user_text(l, name));
	else if (!strcmp(name, "$$name") && l->probe->function)
		g_string_assign(format, l->probe->function);
	else if (!strcmp(name, "$$system") && l->probe->family->row == ROW_TRACEPOINT)
		g_string_assign(format, tracepoint_system(l));
	else if (strcmp(name, "$$return"))
		known = 0;
	else if (user_site_of(l->probe) && family_is_return(l->probe))
		list_value(l, format, args, "return", user_variable(l, "return"));
	else if (family_is_return(l->probe) && argument_prototype(l, &skip) &&
		 btf_target(l->btf, argument_prototype(l, &skip)))
		list_value(l, format, args, "return", argument_result(l));
	if (known)
		n = lower_format(l, format->str, args);
	else
		location_fail(l, "the lists are $$vars, $$parms, $$locals and $$return");
	g_string_free(format, TRUE);
	g_ptr_array_free(args, TRUE);
	return n;
}

/* The location of l->node, up to a pretty-print suffix ($ or $$), which is stored in *pretty. */
static struct location reach(struct lowering *l, const struct ast_suffix **pretty)
{
	const struct ast_node *n = l->node;
	struct location p = begin(l);

	*pretty = NULL;
	for (unsigned i = 0; i < n->u.target.nsuffixes && p.where != IN_NONE; i++) {
		const struct ast_suffix *s = &n->u.target.suffixes[i];

		if (s->kind == SUFFIX_PRETTY) {
			*pretty = s;
			break;
		}
		p = s->kind == SUFFIX_MEMBER ? location_member(l, p, s->member)
					     : location_element(l, p, s->index);
	}
	return p;
}

static struct ast_node *lower(struct lowering *l)
{
	const struct ast_node *n = l->node;
	const struct ast_suffix *pretty;
	struct location p;

	if (n->u.target.form == TARGET_DOLLAR && g_str_has_prefix(n->u.target.name, "$$") &&
	    l->probe) {
		if (!n->u.target.nsuffixes || n->u.target.suffixes->kind == SUFFIX_PRETTY)
			return lower_list(l, n->u.target.name);
		location_fail(l, "a list is a text, without members or elements");
		return NULL;
	}
	p = reach(l, &pretty);
	if (p.where == IN_NONE)
		return NULL;
	if (pretty)
		return pretty_value(l, p, !strcmp(pretty->member, "$$"));
	return n->u.target.address_of ? location_address(l, p) : location_value(l, p);
}

static struct ast_node *lower_store(struct lowering *l, struct ast_node *value)
{
	const struct ast_suffix *pretty;
	struct location p = reach(l, &pretty);

	if (pretty || l->node->u.target.address_of)
		p = location_fail(l, "only a variable or a member can be written");
	if (p.where == IN_ARGUMENT && family_is_return(l->probe))
		p = location_fail(l, "an argument can be changed at the entry only");
	if (p.where == IN_ARGUMENT && l->probe->family->row == ROW_TRACEPOINT)
		p = location_fail(
			l, "a tracepoint's arguments cannot be changed, only what they point to");
	return location_store(l, p, value);
}

/* Why a target variable cannot exist here, as far as no kernel is needed to know; NULL: it may. */
static const char *has_variables(const struct program *prog, const struct probe *probe,
				 const struct ast_node *target)
{
	if (target->u.target.form != TARGET_DOLLAR)
		return NULL;
	if (probe->family->row != ROW_FUNCTION && probe->family->row != ROW_TRACEPOINT &&
	    !user_site_of(probe))
		return ast_printf(
			prog->ast,
			"probe point '%s' has no target variables; pid(), execname(), addr() and pp() "
			"say where it fired",
			probe->point);
	return NULL;
}

static int is_user(const struct program *prog)
{
	return prog->opt && prog->opt->runtime == RUNTIME_USER;
}

/* True if variables are fields of a record: the user runtime has no arguments of tracepoints. */
static int in_record(const struct program *prog, const struct probe *probe)
{
	return probe && is_user(prog) && probe->family->row == ROW_TRACEPOINT;
}

/* True if variables must be fetched by a kprobe event: probes on functions in the user runtime. */
static int is_fetched(const struct program *prog, const struct probe *probe)
{
	return probe && is_user(prog) && probe->family->row == ROW_FUNCTION;
}

/*
 * True if the node refers to a program. In a program's probes everything does, except operators
 * that name the kernel, a module or a header.
 */
static int asks_program(const struct lowering *l)
{
	int is_cast = l->node->u.target.form != TARGET_DOLLAR && l->node->u.target.module;

	return is_cast ? user_named_file(l) != NULL : user_site_of(l->probe) != NULL;
}

/*
 * BTF of the kernel or a module. For a module without BTF, its DWARF, whose types extend the
 * kernel's; NULL: neither, *why.
 */
static const struct btf *types_of(const struct program *prog, const char *module, const char **why)
{
	const struct btf *btf = debuginfo_btf(prog->info, module, why);
	const char *none;

	return btf || !module || !debuginfo_dwarf(prog->info, module, &none)
		       ? btf
		       : debuginfo_btf(prog->info, NULL, why);
}

/* Sets the text that a listing shows for what l->node becomes. */
static void set_text(struct lowering *l)
{
	char *text = ast_print(l->node);

	l->text = ast_strdup(l->prog->ast, text);
	g_free(text);
}

/* Sets the members of l that lowering l->node needs. 0, or -1 with l->why. */
static int prepare(struct lowering *l)
{
	const struct ast_node *target = l->node;
	const char *module = module_asked(l);
	char *text;

	set_text(l);
	if (target->u.target.form == TARGET_AUTOCAST) {
		text = target->u.target.operand->kind == AST_NAME
			       ? ast_print(target->u.target.operand)
			       : g_strdup("ADDRESS");
		l->why = ast_printf(
			l->prog->ast,
			"no type is known for that address, or more than one: @cast(%s, \"task_struct\") gives it "
			"one, where it is a task",
			text);
		g_free(text);
		return -1;
	}
	l->why = has_variables(l->prog, l->probe, target);
	l->user = asks_program(l);
	if (l->user)
		return l->why ? -1 : 0;
	if (!l->why && is_user(l->prog) && !is_fetched(l->prog, l->probe))
		l->why =
			"the user runtime cannot read the kernel's values: add --target=vm to run it in a throw-away guest";
	else if (!l->why && !l->prog->info)
		l->why = "there is no kernel to ask";
	else if (!l->why)
		l->btf = types_of(l->prog, module, &l->why);
	if (l->btf)
		l->why = NULL;
	return l->btf ? 0 : -1;
}

/* True for a variable of the probed function itself. */
static int is_own(struct program *prog, const struct probe *p, const struct ast_node *target)
{
	struct lowering l = { .prog = prog, .probe = p, .node = target };

	return !prepare(&l) && lower(&l);
}

/* Event counts and variables of every probe ($timestamp) are read at the return. */
int variable_is_kept(struct program *prog, const struct probe *p, const struct ast_node *target)
{
	static const char *const others[] = { "$return", "$$return", "$$name", "$$provider", NULL };

	return is_user(prog) && p && family_is_return(p) &&
	       target->u.target.form == TARGET_DOLLAR &&
	       !g_strv_contains(others, target->u.target.name) && !perf_counter_has(p, target) &&
	       (!ambient_has(target) || is_own(prog, p, target));
}

/* $arg->NAME is the probed function's $NAME, $arg its first argument; NULL: neither. */
static struct ast_node *argument_lower(struct lowering *l, const struct ast_node *target)
{
	struct ast *ast = l->prog->ast;
	const struct ast_suffix *first = target->u.target.suffixes;
	struct ast_node *n;

	if (target->u.target.form != TARGET_DOLLAR || strcmp(target->u.target.name, "$arg"))
		return NULL;
	if (target->u.target.nsuffixes && first->kind == SUFFIX_MEMBER) {
		n = ast_copy(ast, target);
		n->u.target.name = ast_printf(ast, "$%s", first->member);
		n->u.target.suffixes++;
		n->u.target.nsuffixes--;
		return variable_lower(l->prog, l->probe, n, &l->why);
	}
	if (target->u.target.nsuffixes || target->u.target.address_of ||
	    has_variables(l->prog, l->probe, target))
		return NULL;
	n = ast_node_new(ast, AST_CALL, target->loc);
	n->mark = target->mark;
	n->u.call.builtin = builtin_find("pointer_arg", 1);
	n->u.call.name = n->u.call.builtin->name;
	ast_append(ast, &n->u.call.args, lower_number(l, 1));
	return n;
}

/*
 * @cast(p, "type", "one:other") with the first module that has the type, or else with the last. The
 * path of a program may have a colon, too: so a text that is found as a whole is not split.
 */
static const struct ast_node *choose_module(struct program *prog, const struct probe *probe,
					    const struct ast_node *target)
{
	const char *list = target->u.target.module;
	struct ast_node *asked;
	char **modules;

	if (target->u.target.form == TARGET_DOLLAR || !list || !strchr(list, ':') ||
	    is_own(prog, probe, target))
		return target;
	asked = ast_copy(prog->ast, target);
	modules = g_strsplit(list, ":", -1);
	for (unsigned i = 0; modules[i]; i++) {
		asked->u.target.module = ast_strdup(prog->ast, modules[i]);
		if (is_own(prog, probe, asked))
			break;
	}
	g_strfreev(modules);
	return asked;
}

struct ast_node *variable_lower(struct program *prog, const struct probe *probe,
				const struct ast_node *target, const char **why)
{
	struct lowering l = { .prog = prog, .probe = probe };
	struct ast_node *n;

	l.node = target = choose_module(prog, probe, target);
	if (perf_counter_has(probe, target))
		return perf_counter_lower(prog, probe, target, why);
	if (target->u.target.form == TARGET_DOLLAR && family_variable_has(probe)) {
		n = family_variable_read(prog, probe, target, why);
		return n ? n : ambient_lower(prog, target);
	}
	if (in_record(prog, probe) && target->u.target.form == TARGET_DOLLAR) {
		set_text(&l);
		n = tracepoint_field_lower(&l);
	} else {
		n = prepare(&l) ? NULL : lower(&l);
	}
	if (n && is_fetched(prog, probe) && !variable_is_kept(prog, probe, target))
		n = kprobe_fetch_lower(&l, n);
	if (!n)
		n = ambient_lower(prog, target);
	if (!n)
		n = argument_lower(&l, target);
	if (!n && target->u.target.form == TARGET_DOLLAR && !strcmp(target->u.target.name, "$pmu"))
		l.why = "counts want .startwatch(\"EVENT\") at the probe point";
	*why = l.why ? l.why : "it has no value";
	return n;
}

struct ast_node *variable_text(struct program *prog, const struct probe *probe,
			       const struct ast_node *target, const char **why)
{
	struct lowering l = { .prog = prog, .probe = probe, .node = target };
	struct ast_node *n;

	*why = NULL;
	if (!is_fetched(prog, probe))
		return NULL;
	n = prepare(&l) ? NULL : lower(&l);
	n = n ? kprobe_fetch_text(&l, n) : NULL;
	*why = l.why ? l.why : "it has no value";
	return n;
}

struct ast_node *variable_store(struct program *prog, const struct probe *probe,
				const struct ast_node *target, struct ast_node *value,
				const char **why)
{
	struct lowering l = { .prog = prog,
			      .probe = probe,
			      .node = choose_module(prog, probe, target) };
	struct ast_node *n = prepare(&l) || is_user(prog) ? NULL : lower_store(&l, value);

	*why = l.why ? l.why : "it cannot be written";
	return n;
}

/* A type without qualifiers, unless it has no name then. */
static guint32 unqualified(const struct btf *btf, guint32 type)
{
	guint32 stripped = btf_strip(btf, type);

	return *btf_name(btf, stripped) ? stripped : type;
}

/* The struct or union that a value of this type points to; 0: none. */
static guint32 pointed_to(const struct btf *btf, guint32 type)
{
	guint32 to, stripped;

	type = btf_strip(btf, type);
	if (btf_kind(btf, type) != BTF_PTR)
		return 0;
	to = btf_target(btf, type);
	stripped = btf_strip(btf, to);
	if (btf_kind(btf, stripped) != BTF_STRUCT && btf_kind(btf, stripped) != BTF_UNION)
		return 0;
	return unqualified(btf, to);
}

const struct pointee *variable_pointee(struct program *prog, const struct probe *probe,
				       const struct ast_node *target)
{
	struct lowering l = { .prog = prog, .probe = probe };
	const struct user_site *site = user_site_of(probe);
	const struct ast_suffix *pretty;
	struct pointee *to;
	struct location p;
	guint32 type;
	char *text;

	l.node = target = choose_module(prog, probe, target);
	if ((target->u.target.form == TARGET_DOLLAR &&
	     (perf_counter_has(probe, target) || family_variable_has(probe) ||
	      g_str_has_prefix(target->u.target.name, "$$"))) ||
	    in_record(prog, probe) || prepare(&l))
		return NULL;
	p = reach(&l, &pretty);
	if (p.where == IN_NONE || pretty || !l.btf)
		return NULL;
	type = target->u.target.address_of ? unqualified(l.btf, p.type) : pointed_to(l.btf, p.type);
	text = type ? btf_type_text(l.btf, type) : NULL;
	if (!text)
		return NULL;
	to = ast_alloc(prog->ast, sizeof(*to));
	to->type = ast_strdup(prog->ast, text);
	to->module = target->u.target.form != TARGET_DOLLAR && target->u.target.module
			     ? target->u.target.module
		     : l.user && site	       ? ast_strdup(prog->ast, site->row.path)
		     : module_asked(&l)       ? ast_strdup(prog->ast, module_asked(&l))
					      : "kernel";
	g_free(text);
	return to;
}

int variable_has_prototype(struct program *prog, const struct probe *probe, const char **why)
{
	static const struct ast_node nowhere = { .kind = AST_TARGET };
	struct lowering l = { .prog = prog, .probe = probe, .node = &nowhere };
	unsigned skip;

	l.btf = debuginfo_btf(prog->info, NULL, why);
	if (l.btf && argument_prototype(&l, &skip))
		return 1;
	*why = l.btf ? l.why : *why;
	return 0;
}

/* As prepare(), for a type alone, of which nothing will be read: the user runtime has it, too. */
static int prepare_type(struct lowering *l)
{
	l->user = asks_program(l);
	if (!l->user && l->prog->info)
		l->btf = types_of(l->prog, module_asked(l), &l->why);
	return l->user || l->btf ? 0 : -1;
}

const char *variable_enumerators(struct program *prog, const struct probe *probe,
				 const struct ast_node *target, const char **why)
{
	struct lowering l = { .prog = prog, .probe = probe };
	int is_type;
	const struct ast_suffix *pretty;
	struct location p = { .where = IN_NONE };
	const char *name, *text = NULL;
	GString *out = g_string_new(NULL);
	gint64 value;
	guint32 type;

	l.node = choose_module(prog, probe, target);
	is_type = l.node->u.target.form == TARGET_CAST && !l.node->u.target.nsuffixes;
	if (!in_record(prog, probe) && !(is_type ? prepare_type(&l) : prepare(&l)))
		p = reach(&l, &pretty);
	type = p.where == IN_NONE || pretty || !l.btf ? 0 : btf_strip(l.btf, p.type);
	for (unsigned i = 0; type && btf_enumerator(l.btf, type, i, &name, &value); i++)
		g_string_append_printf(out, "%s%s=0x%" G_GINT64_MODIFIER "x", i ? " " : "", name,
				       (guint64)value);
	if (out->len && out->len <= G_MAXUINT16)
		text = ast_strdup(prog->ast, out->str);
	g_string_free(out, TRUE);
	*why = l.why;
	return text;
}

int variable_enum(struct program *prog, const char *name, gint64 *value)
{
	const char *problem, *found;
	const struct btf *btf = prog->info ? debuginfo_btf(prog->info, NULL, &problem) : NULL;

	for (guint32 id = 1; btf && btf_kind(btf, id) != BTF_VOID; id++)
		for (unsigned i = 0; btf_enumerator(btf, id, i, &found, value); i++)
			if (!strcmp(found, name))
				return 1;
	return 0;
}

static void list_item(GString *out, const struct btf *btf, const char *name, guint32 type)
{
	char *text = btf_type_text(btf, type), *star = strstr(text, " *");

	if (star)
		memmove(star, star + 1, strlen(star));
	g_string_append_printf(out, " $%s:%s", name, text);
	g_free(text);
}

static void list_numbered(GString *out, const struct btf *btf, unsigned n, guint32 type)
{
	char *name = g_strdup_printf("arg%u", n);

	list_item(out, btf, name, type);
	g_free(name);
}

/* Lists DWARF's names in scope at the place whose values are available there. */
static void list_located(GString *out, struct lowering *l)
{
	int user = user_site_of(l->probe) != NULL;
	GPtrArray *names = user ? user_names(l, 1, 1) : dwarf_location_names(l, 1, 1);
	const struct btf *btf = l->btf;

	for (guint i = 0; i < names->len; i++) {
		struct location p = user ? user_variable(l, names->pdata[i])
					 : dwarf_location_variable(l, names->pdata[i]);

		if (p.where != IN_NONE && p.type)
			list_item(out, l->btf, names->pdata[i], p.type);
		else if (p.where != IN_NONE)
			g_string_append_printf(out, " $%s:long", (const char *)names->pdata[i]);
		l->btf = btf;
		l->why = NULL;
	}
	g_ptr_array_unref(names);
}

char *variable_list(struct program *prog, const struct probe *probe)
{
	static const struct ast_node nowhere = { .kind = AST_TARGET };
	struct lowering l = { .prog = prog, .probe = probe, .node = &nowhere };
	const char *why;
	GString *out = g_string_new(NULL);
	struct btf_field field;
	unsigned skip = 0;
	guint32 proto;
	/* there, parameters are named $arg1 ... */
	int by_number = strstr(probe->point, ".tracepoint(") != NULL;

	if (family_variable_has(probe) || in_record(prog, probe)) {
		g_string_free(out, TRUE);
		return family_variable_has(probe) ? family_variable_list(probe)
						  : tracepoint_field_list(probe);
	}
	if (user_site_of(probe)) {
		struct location result = family_is_return(probe)
						 ? user_variable(&l, "return")
						 : (struct location){ .where = IN_NONE };

		l.user = 1;
		if (result.type)
			list_item(out, l.btf, "return", result.type);
		list_located(out, &l);
		return g_string_free(out, FALSE);
	}
	l.btf = has_variables(prog, probe, &nowhere) ? NULL
						     : types_of(prog, variable_module(probe), &why);
	if (l.btf && probe->place && !family_is_return(probe)) {
		list_located(out, &l);
		return g_string_free(out, FALSE);
	}
	proto = l.btf ? argument_prototype(&l, &skip) : 0;
	if (proto && family_is_return(probe) && btf_target(l.btf, proto))
		list_item(out, l.btf, "return", btf_target(l.btf, proto));
	for (unsigned i = skip; proto && btf_field(l.btf, proto, i, &field); i++)
		if (by_number)
			list_numbered(out, l.btf, i - skip + 1, field.type);
		else if (*field.name)
			list_item(out, l.btf, field.name, field.type);
	return g_string_free(out, FALSE);
}
