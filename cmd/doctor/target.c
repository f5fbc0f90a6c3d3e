/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * target.c - the findings about a program: what its symbols and debug information allow, through
 * libelf, and how its returns are probed. Does not interpret debug information.
 */
#include "cmd/doctor/doctor.h"
#include "cmd/doctor/mend.h"

#include "lib/foreign.h"
#include "translator/debuginfo/usergo.h"
#include "translator/debuginfo/userreturns.h"

#include <errno.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

struct sections {
	int	symtab, dynsym, debug_info, mini;	/* mini: .gnu_debugdata */
	char	*build_id;				/* hex */
};

static char *read_build_id(Elf_Data *data)
{
	size_t at = 0, name, desc;
	GElf_Nhdr note;

	while (data && (at = gelf_getnote(data, at, &note, &name, &desc)) > 0)
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    !memcmp((char *)data->d_buf + name, "GNU", 4)) {
			GString *hex = g_string_new(NULL);

			for (unsigned i = 0; i < note.n_descsz; i++)
				g_string_append_printf(hex, "%02x",
						       ((unsigned char *)data->d_buf)[desc + i]);
			return g_string_free(hex, FALSE);
		}
	return NULL;
}

static int read_sections(const char *path, struct sections *s)
{
	int fd = foreign_open(path);
	Elf *elf = fd >= 0 && elf_version(EV_CURRENT) != EV_NONE ? elf_begin(fd, ELF_C_READ, NULL)
								 : NULL;
	Elf_Scn *scn = NULL;
	size_t names;
	int rc = -1;

	memset(s, 0, sizeof(*s));
	if (elf && elf_kind(elf) == ELF_K_ELF && !elf_getshdrstrndx(elf, &names)) {
		rc = 0;
		while ((scn = elf_nextscn(elf, scn))) {
			GElf_Shdr header;
			const char *name = gelf_getshdr(scn, &header)
						   ? elf_strptr(elf, names, header.sh_name)
						   : NULL;

			s->symtab |= name && header.sh_type == SHT_SYMTAB;
			s->dynsym |= name && header.sh_type == SHT_DYNSYM;
			s->debug_info |= name && g_str_has_prefix(name, ".debug_info");
			s->mini |= name && !strcmp(name, ".gnu_debugdata");
			if (name && header.sh_type == SHT_NOTE && !s->build_id)
				s->build_id = read_build_id(elf_getdata(scn, NULL));
		}
	}
	if (elf)
		elf_end(elf);
	if (fd >= 0)
		close(fd);
	return rc;
}

/* The separate debug file of a build id, a path within the machine; NULL: not installed. */
static char *debug_file(const struct machine *m, const char *id)
{
	char *path;

	if (!id || strlen(id) < 3)
		return NULL;
	path = g_strdup_printf("/usr/lib/debug/.build-id/%.2s/%s.debug", id, id + 2);
	if (!host_has(&m->host, path))
		g_clear_pointer(&path, g_free);
	return path;
}

/*
 * How to get its debug information, if `build` tells how a program of one's own is built. Only what
 * is in the distribution's folders comes from a package.
 */
static char *mend_program(const char *program, const char *build)
{
	int is_packaged = g_str_has_prefix(program, "/bin/") ||
			  g_str_has_prefix(program, "/sbin/") ||
			  g_str_has_prefix(program, "/lib") ||
			  (g_str_has_prefix(program, "/usr/") &&
			   !g_str_has_prefix(program, "/usr/local/"));

	return g_strdup_printf("%s%s",
			       is_packaged ? "install its -dbg or -dbgsym package, or " : "",
			       build);
}

static void judge(struct finding *f, const char *program, const struct sections *s,
		  const char *separate)
{
	if (s->debug_info || separate)
		finding_set(f, STATE_OK,
			    g_strdup_printf("%s: %s", program, separate ? separate : ".debug_info"),
			    "functions, variables and lines of the program are known", NULL);
	else if (s->symtab || s->mini)
		finding_set(f, STATE_LIMITED,
			    g_strdup_printf("%s: %s, no .debug_info", program,
					    s->symtab ? ".symtab" : ".gnu_debugdata"),
			    "functions have names, variables and lines are unknown",
			    mend_program(program, "build it with -g"));
	else if (s->dynsym)
		finding_set(
			f, STATE_LIMITED, g_strdup_printf("%s: .dynsym only", program),
			"stripped: only exported functions have names, others count as \"a->b\" between them",
			mend_program(program, "do not strip it"));
	else
		finding_set(f, STATE_MISSING, g_strdup_printf("%s: no symbols", program),
			    "its functions have no names",
			    mend_program(program, "do not strip it"));
}

/* The named program, a path within the machine; NULL: no program has that name. */
static char *program_of(const struct machine *m)
{
	return strchr(m->target, '/') ? g_strdup(m->target) : host_program(&m->host, m->target);
}

/* Says why a program cannot be looked at; path: NULL if none has that name. */
static void refuse(const struct machine *m, struct finding *f, const char *path, const char *why)
{
	char *whole = path ? g_strconcat(m->host.root, path, NULL) : NULL;
	int error = !whole ? ENOENT : access(whole, R_OK) ? errno : 0;

	finding_set(f, STATE_MISSING,
		    g_strdup_printf("%s: %s", m->target,
				    error == ENOENT ? "not found"
				    : error	    ? g_strerror(error)
						    : why),
		    "there is no such program that you can read",
		    error == ENOENT || !error ? g_strdup("lapwing doctor /path/to/program")
					      : mend_rights(m));
	g_free(whole);
}

void find_debuginfo(const struct machine *m, struct finding *f)
{
	char *path, *whole, *separate;
	struct sections s;

	if (!m->target) {
		finding_set(f, STATE_UNTRIED, g_strdup("no program was named"),
			    "`lapwing doctor PROGRAM` tells what is known of one", NULL);
		return;
	}
	path = program_of(m);
	whole = path ? g_strconcat(m->host.root, path, NULL) : NULL;
	if (!whole || read_sections(whole, &s)) {
		refuse(m, f, path, "no ELF file");
	} else {
		separate = debug_file(m, s.build_id);
		judge(f, path, &s, separate);
		g_free(separate);
		g_free(s.build_id);
	}
	g_free(whole);
	g_free(path);
}

static void judge_returns(const struct machine *m, struct finding *f, char *path,
			  struct userfile *file)
{
	char *whole = g_strconcat(m->host.root, path, NULL), *why = NULL;
	struct userreturns_program *program = userreturns_program(
		&(struct userpath){ whole, path }, *m->host.root ? m->host.root : NULL);
	const char *go = userfile_is_go(file) ? usergo_problem(file) : NULL;

	if (go)
		finding_set(f, STATE_MISSING, g_strdup_printf("%s: %s", path, go),
			    "returns of its functions are not probed: its stacks move",
			    g_strdup("build it with a newer Go, or probe entries"));
	else if (userreturns_of(program, file, &why) == USERRETURNS_SAFE)
		finding_set(
			f, STATE_OK, g_strdup_printf("%s: no coroutines, no exceptions", path),
			"returns of its functions are probed by return addresses that are replaced",
			NULL);
	else
		finding_set(f, STATE_OK, g_strdup_printf("%s: %s", path, why),
			    "returns of its functions are probed at the instructions that return",
			    NULL);
	g_free(why);
	userreturns_free(program);
	g_free(whole);
}

void find_returns(const struct machine *m, struct finding *f)
{
	char *path = m->target ? program_of(m) : NULL,
	     *whole = path ? g_strconcat(m->host.root, path, NULL) : NULL;
	const char *why = "not found";
	struct userfile *file = whole ? userfile_open(whole, &why) : NULL;

	if (!m->target)
		finding_set(f, STATE_UNTRIED, g_strdup("no program was named"),
			    "`lapwing doctor PROGRAM` tells how its returns are probed", NULL);
	else if (!file)
		refuse(m, f, path, why);
	else
		judge_returns(m, f, path, file);
	userfile_close(file);
	g_free(whole);
	g_free(path);
}
