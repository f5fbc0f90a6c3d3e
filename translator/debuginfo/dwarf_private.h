/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_private.h - what the files of the DWARF reader share.
 */
#ifndef LAPWING_DWARF_PRIVATE_H
#define LAPWING_DWARF_PRIVATE_H

#include "translator/debuginfo/dwarf.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

struct dwarf_types;

struct dwarf {
	Dwfl		*dwfl;
	Dwfl_Module	*module;
	Dwarf		*dw;
	Dwarf_Addr	bias;		/* added to DWARF's addresses: the symbols' */
	struct dwarf_types *types;
	GPtrArray	*frames;	/* struct dwarf_frame */
	GHashTable	*inlined;	/* names of functions that are inlined somewhere, once somebody asked */
	GArray		*symbols;	/* functions by address, once somebody asked (dwarf_symbol.c) */
};

/* dwarf_type.c: a DIE's type as an id of *btf; 0: void. */
struct dwarf_types *dwarf_types_new(const struct btf *base);
void dwarf_types_free(struct dwarf_types *t);
guint32 dwarf_type_of(struct dwarf_types *t, Dwarf_Die *die, const struct btf **btf);
/* A function's, as a prototype. */
guint32 dwarf_prototype_of(struct dwarf_types *t, Dwarf_Die *function, const struct btf **btf);
/* The same of a type's DIE. */
guint32 dwarf_type_itself(struct dwarf_types *t, Dwarf_Die *die, const struct btf **btf);

/*
 * dwarf.c: opens a file; separate debuginfo is found by libdwfl, in the folders of $SYSTEMTAP_DEBUGINFO_PATH first. NULL: no ELF file.
 * Free with dwfl_end(*dwfl) either way.
 */
Dwfl_Module *dwarf_module(const char *path, Dwfl **dwfl);
/* dwarf_call.c */
void dwarf_frames_free(GPtrArray *frames);

/* dwarf_symbol.c: the symbol that an address is in; 0: none. */
int dwarf_symbol(struct dwarf *d, Dwarf_Addr address, const char **name, guint64 *offset);
/* dwarf.c: appends the place where a function or inlined copy begins. 0: it has no code, or lies in no symbol. */
int dwarf_add_entry(struct dwarf *d, GArray *places, Dwarf_Die *die);
/* dwarf.c: a function's or type's name behind those of the namespaces and classes it is in, "ns::Class::name". Caller frees. */
char *dwarf_scoped_name(Dwarf_Die *die);
/* dwarf_function.c: has it this name, alone or with "::" behind those? */
int dwarf_has_name(Dwarf_Die *die, const char *name);
/* dwarf.c: the file that declares it, or NULL. */
const char *dwarf_source(Dwarf_Die *die);
/* dwarf.c: a unit, or where the rest of it is in a file of its own (.dwo), that. 0: that is not here. */
int dwarf_whole_unit(Dwarf_Die *unit, Dwarf_Die *whole);
typedef int dwarf_visit_fn(void *data, Dwarf_Die *die);
/* dwarf.c: calls visit() for what a scope declares, in namespaces in it too, until it says 1. 1: it did. */
int dwarf_visit_scope(Dwarf_Die *scope, dwarf_visit_fn *visit, void *data);
/* The same for all units. */
int dwarf_visit(struct dwarf *d, dwarf_visit_fn *visit, void *data);
/* dwarf_pass.c: which of the two machines it is for. */
int dwarf_is_arm64(struct dwarf *d);
/* A type without its names and qualifiers. 0: void. */
int dwarf_plain_type(Dwarf_Die *die, Dwarf_Die *type);
/* Where a member begins in its object, in bits, in all the forms that DWARF has had for it. */
guint64 dwarf_member_bit(Dwarf_Die *member);
/* Where the next parameter of a function is passed. */
struct passing {
	unsigned	registers, used, floats, stack;	/* floats: floating-point registers that are used */
	int		arm64;
};
/* Where a parameter is. Slots are counted in registers for integers, then on the stack. */
struct passed {
	int		slot[2];	/* of its first words; -1: in a floating-point register */
	unsigned	words;
	int		by_reference;	/* the slot holds its address */
};
void dwarf_pass_begin(struct dwarf *d, Dwarf_Die *function, struct passing *p);
void dwarf_pass(struct passing *p, Dwarf_Die *parameter, struct passed *to);
/* Does a result of that type take a floating-point register? */
int dwarf_result_floats(struct dwarf *d, Dwarf_Die *type);
/* In the order of the source. */
void dwarf_sort_places(GArray *places);
/* Does a path end in what was asked for? NULL asks for nothing. */
int dwarf_file_matches(const char *path, const char *wanted);

#endif
