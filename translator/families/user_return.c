/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * user_return.c - see user_return.h.
 */
#include "translator/families/user_return.h"

#include "translator/debuginfo/debuginfo.h"
#include "translator/debuginfo/files.h"
#include "translator/debuginfo/userexits.h"
#include "translator/debuginfo/userfile.h"
#include "translator/debuginfo/usergo.h"
#include "translator/debuginfo/userreturns.h"
#include "translator/families/shared.h"

#include <stdio.h>

static const char *keep(struct family_call *call, char *text)
{
	const char *kept = family_keep(call, text);

	g_free(text);
	return kept;
}

struct user_return user_return_of(struct family_call *call, const struct user_target *target,
				  struct userfile *file)
{
	struct user_return r = { .addresses = call->addresses };
	char *why;

	if (call->instructions) {
		r.reason = "--returns=instructions asks for that";
		r.must = 1;
		return r;
	}
	r.must = userreturns_of(debuginfo_userreturns(call->info, target->path, call->sysroot),
				file, &why) == USERRETURNS_DIES;
	r.reason = why ? keep(call, why) : NULL;
	r.addresses &= !r.must;
	return r;
}

static void put_exits(struct family_call *call, struct user_site *site, const GArray *found)
{
	static const enum rt_exit_how hows[] = { RT_EXIT_RETURN, RT_EXIT_JUMP, RT_EXIT_MAY_JUMP };
	struct rt_exit *exits = call->alloc(call, found->len * sizeof(*exits) + 1);

	for (guint i = 0; i < found->len; i++) {
		const struct userexit *e = &g_array_index(found, struct userexit, i);
		guint64 offset = 0;

		userfile_offset(site->file, e->address, &offset);
		exits[i] = (struct rt_exit){ offset, (u8)hows[e->how] };
	}
	site->row.exits = exits;
	site->row.nexits = found->len;
}

/* The function's exits; also sets how its calls are identified. NULL with *why. */
static GArray *find_exits(struct user_site *site, const struct userfile_function *f,
			  const char **why)
{
	struct userexit_entry entry = { .address = site->row.address };
	enum usergo_origin origin = usergo_of(site->file, f->address);

	site->row.goroutine = origin == USERGO_COMPILED;
	*why = origin == USERGO_UNKNOWN ? usergo_problem(site->file) : NULL;
	if (*why)
		return NULL;
	if (origin != USERGO_NONE)
		usergo_entry(site->file, f->address, &entry.again);
	return userexits_find(site->file, f, entry, why);
}

const char *user_return_site(struct user_return *r, struct family_call *call,
			     struct user_site *site, const struct userfile_function *f, int is_stub)
{
	const char *why = "it is a stub, and the function that it leads to returns in its place";
	GArray *found = r->reason && !r->addresses && !is_stub ? find_exits(site, f, &why) : NULL;

	if (found) {
		put_exits(call, site, found);
		g_array_unref(found);
		r->instructions++;
		return NULL;
	}
	if (!r->reason)
		return NULL;
	if (r->must)
		return keep(call,
			    g_strdup_printf("only the instructions that return could be, as %s: %s",
					    r->reason, why));
	r->replaced++;
	r->example = f->name;
	return NULL;
}

void user_return_report(const struct user_return *r, struct family_call *call, const char *path,
			const struct point_comp *comp)
{
	if (r->replaced)
		diag(call->diag, &comp->loc, D_POINT_REPLACED, r->replaced,
		     r->replaced == 1 ? "" : "s", path, r->example, r->reason);
	if (r->instructions && call->diag->verbose)
		fprintf(stderr,
			"Pass 2: returns of %u function%s in %s are probed at their instructions: %s\n",
			r->instructions, r->instructions == 1 ? "" : "s", path, r->reason);
}
