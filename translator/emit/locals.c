/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * locals.c - declarations of a function's or handler's script variables.
 */
#include "translator/emit/locals.h"

#include "translator/emit/emit.h"
#include "translator/emit/out.h"

void emit_locals(struct emitter *e, const GPtrArray *locals)
{
	for (unsigned i = 0; i < locals->len; i++) {
		const struct var *v = g_ptr_array_index(locals, i);

		if (v->type == TYPE_STRING)
			emit_decl(e, "struct rt_strvar %s = rt_strvar(c);", v->cname);
		else
			emit_decl(e, "s64 %s = 0;", v->cname);
	}
}
