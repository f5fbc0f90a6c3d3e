/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * userfile.h - what a program's or shared library's ELF file says: functions by its tables of symbols, where they lie in the file, what it
 * needs. Debug files of their own (build id, debug link) and compressed tables (.gnu_debugdata) are found by libdw.
 *
 * Addresses are as the file is linked. Texts live as long as the struct userfile. It knows neither probes nor processes.
 */
#ifndef LAPWING_USERFILE_H
#define LAPWING_USERFILE_H

#include <glib.h>

struct Dwfl_Module;
struct dwarf;
struct userbranch;
struct userfdes;
struct usergo;
struct userfile;

struct userfile_function {
	const char	*name;
	guint64		address;
	guint64		size;
	int		global;		/* not static in its source */
	int		chooses;	/* it gives the address of the function that is called in its place (IFUNC) */
};

/* NULL: *why says what is wrong (static). */
struct userfile *userfile_open(const char *path, const char **why);
void userfile_close(struct userfile *f);

/*
 * Functions whose names match a pattern (fnmatch's); of those at one address the first by name, when it has wildcards. Struct
 * userfile_function by name, then address; free with g_array_unref.
 */
GArray *userfile_functions(struct userfile *f, const char *pattern);
/* All of them: struct userfile_function by name, then address; of the struct userfile. */
const GArray *userfile_all(struct userfile *f);
/*
 * The functions that an address lies in, one after the other, the one that begins last first: after is the one before, NULL at first. NULL:
 * there are no more.
 */
const struct userfile_function *userfile_around(struct userfile *f, guint64 address, const struct userfile_function *after);
/* The first of them by name. 0: none. */
int userfile_function_at(struct userfile *f, guint64 address, struct userfile_function *found);
/* One of exactly that name; NULL: there is none. */
const struct userfile_function *userfile_named(struct userfile *f, const char *name);
/* All names, for "did you mean"; free with g_ptr_array_free(names, TRUE). */
GPtrArray *userfile_names(struct userfile *f);
/* Where a symbol of any kind is. 0: there is none. */
int userfile_symbol(const struct userfile *f, const char *name, guint64 *address);
/* Where an address lies in the file. 0: nowhere. */
int userfile_offset(const struct userfile *f, guint64 address, guint64 *offset);
/* Is it code? */
int userfile_is_code(const struct userfile *f, guint64 address);
/* And which address a place of the file has. 0: none. */
int userfile_linked(const struct userfile *f, guint64 offset, guint64 *address);
/* Bytes of the file at an address; how many of them there are. */
gsize userfile_bytes(const struct userfile *f, guint64 address, void *to, gsize room);
/* What the loader puts at an address where the file has 0: an address as the file is linked. 0: nothing. */
guint64 userfile_relocated(const struct userfile *f, guint64 address);
/* Its segment of code number i: where it is linked, its bytes and their number. 0: there are no more. */
int userfile_code(const struct userfile *f, unsigned i, guint64 *address, const guint8 **bytes, gsize *size);
/* Where userbranch.h keeps what it has found in the file. */
struct userbranch **userfile_branches(struct userfile *f);
/* And where userfde.h does. */
struct userfdes **userfile_fdes(struct userfile *f);
/* And where usergo.h does. */
struct usergo **userfile_go(struct userfile *f);
/* "x86_64", "arm64", "32 bits" (of any machine), or another name. */
const char *userfile_arch(const struct userfile *f);
/* Its section of that name, for gelf.h, with its header; NULL: it has none. */
struct Elf_Scn *userfile_section(const struct userfile *f, const char *name, void *header);
/* A string of one of its tables. */
const char *userfile_string(const struct userfile *f, guint32 table, guint64 at);
/* Where it begins to run; 0 of most libraries. */
guint64 userfile_entry(const struct userfile *f);
/* As libdwfl knows it; *bias is added to its addresses there. */
struct Dwfl_Module *userfile_module(const struct userfile *f, guint64 *bias);
/* Is it written in Go (usergo.h)? */
int userfile_is_go(const struct userfile *f);
/* A function by which it goes from one stack to another, as coroutines do, that it calls or contains; NULL: none that is known. */
const char *userfile_switches(const struct userfile *f);
/* Does it handle exceptions of C++, or Rust's panics? Unwinding stops at replaced return addresses. */
int userfile_unwinds(const struct userfile *f);
/* Names of the libraries it needs (DT_NEEDED), and where it wants them looked for (DT_RUNPATH or DT_RPATH; NULL: nowhere). */
GPtrArray *userfile_needed(const struct userfile *f);
const char *userfile_library_path(const struct userfile *f);
/* Its DWARF, read when it is first asked for; NULL: *why (static). */
struct dwarf *userfile_dwarf(struct userfile *f, const char **why);

#endif
