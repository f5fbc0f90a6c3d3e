/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * userfile.h - what a program's or shared library's ELF file says: functions by its tables of
 * symbols, where they lie in the file, what it needs. Debug files of their own (build id, debug
 * link) and compressed tables (.gnu_debugdata) are found by libdw.
 *
 * Addresses are as the file is linked. Texts live as long as the struct userfile. It knows neither
 * probes nor processes.
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
	/* an IFUNC: it returns the address of the function to be called */
	int		chooses;
};

/* NULL with *why (static). */
struct userfile *userfile_open(const char *path, const char **why);
void userfile_close(struct userfile *f);

/*
 * Functions whose names match a pattern (fnmatch style); with wildcards, one name per address, the
 * first. Struct userfile_function by name, then address; free with g_array_unref.
 */
GArray *userfile_functions(struct userfile *f, const char *pattern);
/* All of them: struct userfile_function by name, then address; of the struct userfile. */
const GArray *userfile_all(struct userfile *f);
/*
 * The functions that an address lies in, one after the other, the one that begins last first: after
 * is the one before, NULL at first. NULL: there are no more.
 */
const struct userfile_function *userfile_around(struct userfile *f, guint64 address,
						const struct userfile_function *after);
/* The first of them by name. 0: none. */
int userfile_function_at(struct userfile *f, guint64 address, struct userfile_function *found);
/* One of exactly that name; NULL: there is none. */
const struct userfile_function *userfile_named(struct userfile *f, const char *name);
/* All names, for "did you mean"; free with g_ptr_array_free(names, TRUE). */
GPtrArray *userfile_names(struct userfile *f);
/* The address of a symbol of any kind. 0: no such symbol. */
int userfile_symbol(const struct userfile *f, const char *name, guint64 *address);
/* The file offset of an address. 0: none. */
int userfile_offset(const struct userfile *f, guint64 address, guint64 *offset);
/* True if the address is code. */
int userfile_is_code(const struct userfile *f, guint64 address);
/* The address of a file offset. 0: none. */
int userfile_linked(const struct userfile *f, guint64 offset, guint64 *address);
/* Copies up to `room` bytes at an address; returns their number. */
gsize userfile_bytes(const struct userfile *f, guint64 address, void *to, gsize room);
/*
 * What the loader puts at an address where the file has 0: an address as the file is linked. 0:
 * nothing.
 */
guint64 userfile_relocated(const struct userfile *f, guint64 address);
/*
 * Code segment i: its address, bytes and size. 0: no more.
 */
int userfile_code(const struct userfile *f, unsigned i, guint64 *address, const guint8 **bytes,
		  gsize *size);
/* The pointer to userbranch.h's data about the file. */
struct userbranch **userfile_branches(struct userfile *f);
/* And where userfde.h does. */
struct userfdes **userfile_fdes(struct userfile *f);
/* And where usergo.h does. */
struct usergo **userfile_go(struct userfile *f);
/* "x86_64", "arm64", "32 bits" (of any machine), or another name. */
const char *userfile_arch(const struct userfile *f);
/* A section by name, for gelf.h, and its header; NULL: none. */
struct Elf_Scn *userfile_section(const struct userfile *f, const char *name, void *header);
/* A string of a string table. */
const char *userfile_string(const struct userfile *f, guint32 table, guint64 at);
/* Where it begins to run; 0 of most libraries. */
guint64 userfile_entry(const struct userfile *f);
/* As libdwfl knows it; *bias is added to its addresses there. */
struct Dwfl_Module *userfile_module(const struct userfile *f, guint64 *bias);
/* Is it written in Go (usergo.h)? */
int userfile_is_go(const struct userfile *f);
/*
 * A function by which it goes from one stack to another, as coroutines do, that it calls or
 * contains; NULL: none that is known.
 */
const char *userfile_switches(const struct userfile *f);
/*
 * True if it handles C++ exceptions or Rust panics, whose unwinding fails at replaced return
 * addresses.
 */
int userfile_unwinds(const struct userfile *f);
/*
 * Names of needed libraries (DT_NEEDED), and its search path for them (DT_RUNPATH or DT_RPATH);
 * NULL: none.
 */
GPtrArray *userfile_needed(const struct userfile *f);
const char *userfile_library_path(const struct userfile *f);
/* Its DWARF, read on first use; NULL with *why (static). */
struct dwarf *userfile_dwarf(struct userfile *f, const char **why);

#endif
