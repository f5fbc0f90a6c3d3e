/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * userfile.h - reads a program's or shared library's ELF file: functions from its symbol tables,
 * their offsets in the file, the libraries it needs. libdw finds separate debug files (build id,
 * debug link) and compressed symbol tables (.gnu_debugdata).
 *
 * Addresses are link addresses. Strings live as long as the struct userfile. It knows neither
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
	/* an IFUNC: its code returns the address of the function to call */
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
/* All functions: struct userfile_function by name, then address; owned by the struct userfile. */
const GArray *userfile_all(struct userfile *f);
/*
 * Iterates over the functions that contain an address, the one that begins last first: after is the
 * previous result, NULL for the first call. NULL: no more.
 */
const struct userfile_function *userfile_around(struct userfile *f, guint64 address,
						const struct userfile_function *after);
/* The function, of those that contain an address, with the first name. 0: none. */
int userfile_function_at(struct userfile *f, guint64 address, struct userfile_function *found);
/* A function of exactly that name; NULL: none. */
const struct userfile_function *userfile_named(struct userfile *f, const char *name);
/* All names, for "did you mean"; free with g_ptr_array_free(names, TRUE). */
GPtrArray *userfile_names(struct userfile *f);
/* The address of a symbol of any kind. 0: no such symbol. */
int userfile_symbol(const struct userfile *f, const char *name, guint64 *address);
/*
 * How many variables have that name, without those that are thread-local: one, if it is global. The
 * address is that of the first.
 */
unsigned userfile_variable(const struct userfile *f, const char *name, guint64 *address);
/* The file offset of an address. 0: none. */
int userfile_offset(const struct userfile *f, guint64 address, guint64 *offset);
/* True if the address is code. */
int userfile_is_code(const struct userfile *f, guint64 address);
/* The address of a file offset. 0: none. */
int userfile_linked(const struct userfile *f, guint64 offset, guint64 *address);
/* Copies up to `room` bytes at an address; returns their number. */
gsize userfile_bytes(const struct userfile *f, guint64 address, void *to, gsize room);
/*
 * The link address that the loader's relocation stores at an address where the file has 0. 0: no
 * such relocation.
 */
guint64 userfile_relocated(const struct userfile *f, guint64 address);
/*
 * Code segment i: its address, bytes and size. 0: no more.
 */
int userfile_code(const struct userfile *f, unsigned i, guint64 *address, const guint8 **bytes,
		  gsize *size);
/* The pointer to userbranch.h's data about the file. */
struct userbranch **userfile_branches(struct userfile *f);
/* The same for userfde.h. */
struct userfdes **userfile_fdes(struct userfile *f);
/* The same for usergo.h. */
struct usergo **userfile_go(struct userfile *f);
/* "x86_64", "arm64", "32 bits" (of any machine), or another name. */
const char *userfile_arch(const struct userfile *f);
/* A section by name, for gelf.h, and its header; NULL: none. */
struct Elf_Scn *userfile_section(const struct userfile *f, const char *name, void *header);
/* A string of a string table. */
const char *userfile_string(const struct userfile *f, guint32 table, guint64 at);
/* The ELF entry point; 0 in most libraries. */
guint64 userfile_entry(const struct userfile *f);
/* libdwfl's module; *bias added to the file's addresses gives libdwfl's. */
struct Dwfl_Module *userfile_module(const struct userfile *f, guint64 *bias);
/* True if Go built it (usergo.h). */
int userfile_is_go(const struct userfile *f);
/*
 * The name of a stack-switching function, as coroutines use it, that the file calls or contains;
 * NULL: none that we know.
 */
const char *userfile_switches(const struct userfile *f);
/*
 * True if it handles C++ exceptions or Rust panics, whose unwinding fails at replaced return
 * addresses.
 */
int userfile_unwinds(const struct userfile *f);
/*
 * Names of the libraries it needs (DT_NEEDED), and its search path for them (DT_RUNPATH or
 * DT_RPATH), which is NULL if there is none.
 */
GPtrArray *userfile_needed(const struct userfile *f);
const char *userfile_library_path(const struct userfile *f);
/* Its DWARF, read on first use; NULL with *why (static). */
struct dwarf *userfile_dwarf(struct userfile *f, const char **why);

#endif
