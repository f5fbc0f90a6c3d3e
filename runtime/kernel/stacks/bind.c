// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bind.c - addresses of kernel symbols, which the consumer looks up.
 *
 * During hello, bind_want() requests a symbol: it reserves a slot and sends a WIRE_NEED; WIRE_BIND
 * fills the slot. Addresses of functions are checked against the kernel's own symbols. Variables of
 * a module that is loaded, or loaded again, while the script runs are found in the module's symbol
 * table.
 */
#include "runtime/kernel/stacks/bind.h"

#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/string.h>

#include "runtime/core/core.h"
#include "runtime/core/ctx.h"

struct binding {
	/*
	 * if there are several; an allocation takes two pages, and most of a wildcard's thousands
	 * have one
	 */
	u64	*addresses;
	u64	address;
	u32	n;
	u8	is_data;
};

static struct binding *bind_slots;	/* [bind_room]; constant during the session */
static u32 bind_room, bind_used;

int bind_load(u32 room)
{
	bind_slots = runtime_alloc((u64)room * sizeof(*bind_slots) + 1);
	bind_room = bind_slots ? room : 0;
	return bind_slots ? 0 : -ENOMEM;
}

u32 bind_want(const char *name, const char *module, u16 how)
{
	char text[192];
	u32 len;

	if (bind_used == bind_room)
		return bind_room;
	bind_slots[bind_used].is_data = how == WIRE_NEED_DATA || how == WIRE_LIKE_DATA;
	len = scnprintf(text, sizeof(text) - 1, "%s", name) + 1;
	len += scnprintf(text + len, sizeof(text) - len, "%s", module ? module : "") + 1;
	runtime_message(how, bind_used, text, min_t(u32, len, sizeof(text)));
	return bind_used++;
}

u32 bind_given(u64 address)
{
	struct binding *b = bind_used < bind_room ? &bind_slots[bind_used] : NULL;

	if (!b)
		return bind_room;
	b->address = address;
	b->n = 1;
	return bind_used++;
}

/* True if it is the start of a function. */
static int bind_is_function(u64 address)
{
	char text[KSYM_SYMBOL_LEN];

	sprint_symbol(text, (unsigned long)address);
	return strstr(text, "+0x0/") != NULL;
}

int bind_take(u32 slot, const u64 *addresses, u32 n)
{
	struct binding *b;
	u32 i;

	if (slot >= bind_used)
		return -EINVAL;
	b = &bind_slots[slot];
	for (i = 0; i < n; i++)
		if (!b->is_data && !bind_is_function(addresses[i]))
			return -EINVAL;
	runtime_free(b->addresses);
	b->addresses = n > 1 ? runtime_alloc((u64)n * sizeof(u64)) : NULL;
	b->n = n < 2 || b->addresses ? n : 0;
	memcpy(b->addresses ? b->addresses : &b->address, addresses, (u64)b->n * sizeof(u64));
	return b->n == n ? 0 : -ENOMEM;
}

u32 bind_addresses(u32 slot, const u64 **addresses)
{
	if (slot >= bind_used)
		return 0;
	*addresses = bind_slots[slot].addresses ? bind_slots[slot].addresses : &bind_slots[slot].address;
	return bind_slots[slot].n;
}

/* ---- the script's own symbols -----------------------------------------------------*/

static u32 bind_symbols;	/* slot of rt_script.symbols[0] */
/*
 * [rt_script.nsymbols]: 0, or the address in a module that was loaded meanwhile; NULL: no symbol
 * names a module
 */
static u64 *bind_module_symbols;

static u64 bind_find(const struct module *module, const char *name)
{
	const struct mod_kallsyms *all;
	u64 address = 0;
	u32 i;

	rcu_read_lock_sched();
	all = rcu_dereference_sched(module->kallsyms);
	for (i = 0; i < all->num_symtab && !address; i++)
		if (all->symtab[i].st_shndx != SHN_UNDEF &&
		    !strcmp(all->strtab + all->symtab[i].st_name, name))
			address = all->symtab[i].st_value;
	rcu_read_unlock_sched();
	return address;
}

static int bind_module(struct notifier_block *self, unsigned long event, void *data)
{
	const struct module *module = data;
	u32 i;

	for (i = 0; event == MODULE_STATE_COMING && i < rt_script.nsymbols; i++)
		if (rt_script.symbols[i].module &&
		    !strcmp(rt_script.symbols[i].module, module->name))
			WRITE_ONCE(bind_module_symbols[i],
				   bind_find(module, rt_script.symbols[i].name));
	return NOTIFY_OK;
}

/* Called before the module's probes are armed (function_deferred.c). */
static struct notifier_block bind_notifier = { .notifier_call = bind_module };

static void bind_watch_modules(void)
{
	u32 i, any = 0;

	for (i = 0; i < rt_script.nsymbols; i++)
		any |= rt_script.symbols[i].module != NULL;
	bind_module_symbols =
		any ? runtime_alloc((u64)rt_script.nsymbols * sizeof(*bind_module_symbols)) : NULL;
	if (bind_module_symbols && register_module_notifier(&bind_notifier)) {
		runtime_free(bind_module_symbols);
		bind_module_symbols = NULL;
	}
}

void bind_want_symbols(void)
{
	u32 i, slot;

	for (i = 0; i < rt_script.nsymbols; i++) {
		slot = bind_want(rt_script.symbols[i].name, rt_script.symbols[i].module,
				 WIRE_NEED_DATA);
		if (!i)
			bind_symbols = slot;
	}
	bind_watch_modules();
}

void bind_unload(void)
{
	u32 i;

	if (bind_module_symbols)
		unregister_module_notifier(&bind_notifier);
	runtime_free(bind_module_symbols);
	for (i = 0; i < bind_used; i++)
		runtime_free(bind_slots[i].addresses);
	runtime_free(bind_slots);
}

s64 rt_symbol(struct rt_ctx *c, s64 n)
{
	const u64 *addresses = NULL;
	u64 late = bind_module_symbols && n >= 0 && n < rt_script.nsymbols
			   ? READ_ONCE(bind_module_symbols[n])
			   : 0;

	if (n >= 0 && n < rt_script.nsymbols && rt_script.symbols[n].exported)
		late = (u64)(unsigned long)rt_script.symbols[n].exported;
	if (late)
		return (s64)(late + rt_script.symbols[n].offset);
	if (n < 0 || n >= rt_script.nsymbols ||
	    !bind_addresses(bind_symbols + (u32)n, &addresses)) {
		ctx_fail(c, RUN_SYMBOL_FAULT);
		return 0;
	}
	return (s64)(addresses[0] + rt_script.symbols[n].offset);
}

/*
 * True if address is s plus its offset, by kallsyms: only kallsyms knows a module that was loaded
 * after the start. Looks up the byte before, because a call's own bytes are in the calling
 * function.
 */
static int bind_is_named(const struct rt_symbol *s, u64 address)
{
	char text[KSYM_SYMBOL_LEN], wanted[KSYM_SYMBOL_LEN];
	int n = scnprintf(wanted, sizeof(wanted), "%s+%#llx/", s->name,
			  (unsigned long long)s->offset - 1);

	sprint_symbol(text, (unsigned long)address - 1);
	if (strncmp(text, wanted, n))
		return 0;
	scnprintf(wanted, sizeof(wanted), " [%s]", s->module ? s->module : "");
	return !s->module || strstr(text + n, wanted) != NULL;
}

int runtime_is_symbol(struct rt_ctx *c, s64 n, u64 address)
{
	const struct rt_symbol *s = &rt_script.symbols[n];
	const u64 *addresses = NULL;
	u32 i, known = bind_addresses(bind_symbols + (u32)n, &addresses);

	for (i = 0; i < known; i++)
		if (addresses[i] + s->offset == address)
			return 1;
	return (!known || s->module) && bind_is_named(s, address);
}
