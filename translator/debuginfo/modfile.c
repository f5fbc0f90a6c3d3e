/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * modfile.c - see modfile.h. ELF by libelf; nothing in a file is trusted.
 */
#include "translator/debuginfo/modfile.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

char *modfile_name(const char *module)
{
	char *name = g_path_get_basename(module), *end = strstr(name, ".ko");

	if (end)
		*end = 0;
	return g_strdelimit(name, "-", '_');
}

/*
 * The first existing file in the directories that matches any of the patterns ("%s" is the word).
 */
static char *find_in(char **folders, const char *const *patterns, const char *word)
{
	for (char **f = folders; f && *f; f++)
		for (const char *const *p = patterns; *p; p++) {
			char **parts = g_strsplit(*p, "%s", -1), *name = g_strjoinv(word, parts);
			char *path = g_build_filename(*f, name, NULL);

			g_strfreev(parts);
			g_free(name);
			if (**f && g_file_test(path, G_FILE_TEST_IS_REGULAR))
				return path;
			g_free(path);
		}
	return NULL;
}

static char **search_path(void)
{
	const char *path = g_getenv("SYSTEMTAP_DEBUGINFO_PATH");

	return g_strsplit(path ? path : "", ":", -1);
}

/* Searches modules.dep, lines "kernel/fs/ext4/ext4.ko: dependencies". */
static char *find_installed(const char *name, const char *release, const char *at)
{
	char *root = g_build_filename(at, "lib/modules", release, NULL),
	     *list = g_build_filename(root, "modules.dep", NULL);
	char *text = NULL, *save, *found = NULL;

	if (g_file_get_contents(list, &text, NULL, NULL))
		for (char *line = strtok_r(text, "\n", &save); line && !found;
		     line = strtok_r(NULL, "\n", &save)) {
			char *is;

			line[strcspn(line, ":")] = 0;
			is = modfile_name(line);
			if (!strcmp(is, name))
				found = g_build_filename(root, line, NULL);
			g_free(is);
		}
	g_free(text);
	g_free(list);
	g_free(root);
	return found;
}

char *modfile_find(const char *module, const char *release, const char *root)
{
	static const char *const patterns[] = { "%s.ko.debug", "%s.ko", NULL };
	char **folders, *name, *found;

	if (strchr(module, '/'))
		return g_file_test(module, G_FILE_TEST_IS_REGULAR) ? g_strdup(module) : NULL;
	folders = search_path();
	name = modfile_name(module);
	found = find_in(folders, patterns, name);
	if (!found && release)
		found = find_installed(name, release, root ? root : "/");
	g_free(name);
	g_strfreev(folders);
	return found;
}

char *modfile_find_kernel(const char *release, const char *root)
{
	static const char *const named[] = { "vmlinux-%s", "vmlinux", NULL }, *const usual[] = {
		"usr/lib/debug/boot/vmlinux-%s", "usr/lib/debug/lib/modules/%s/vmlinux",
		"lib/modules/%s/vmlinux", "lib/modules/%s/build/vmlinux", NULL
	};
	char **folders, *found;

	if (!release)
		return NULL;
	folders = search_path();
	found = find_in(folders, named, release);
	if (!found)
		found = find_in((char *[]){ root ? (char *)root : "/", NULL }, usual, release);
	g_strfreev(folders);
	return found;
}

/* ---- contents of a file --------------------------------------------------------------*/

struct image {
	int fd;
	Elf *elf;
};

static int image_open(struct image *im, const char *path)
{
	elf_version(EV_CURRENT);
	im->fd = open(path, O_RDONLY | O_CLOEXEC);
	im->elf = im->fd >= 0 ? elf_begin(im->fd, ELF_C_READ_MMAP, NULL) : NULL;
	return im->elf != NULL;
}

static void image_close(struct image *im)
{
	elf_end(im->elf);
	if (im->fd >= 0)
		close(im->fd);
}

static void take_symbols(GPtrArray *names, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym symbol;

	for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
		const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);

		if (name && *name && GELF_ST_TYPE(symbol.st_info) == STT_FUNC &&
		    symbol.st_shndx != SHN_UNDEF)
			g_ptr_array_add(
				names,
				g_strconcat(GELF_ST_BIND(symbol.st_info) == STB_LOCAL ? "t" : "T",
					    name, NULL));
	}
}

GPtrArray *modfile_functions(const char *path)
{
	GPtrArray *names = NULL;
	struct image im;
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	if (image_open(&im, path)) {
		names = g_ptr_array_new_with_free_func(g_free);
		while ((section = elf_nextscn(im.elf, section)))
			if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB)
				take_symbols(names, im.elf, section, &header);
	}
	image_close(&im);
	return names;
}

void *modfile_section(const char *path, const char *wanted, gsize *size)
{
	void *bytes = NULL;
	struct image im;
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t strings;

	if (image_open(&im, path) && !elf_getshdrstrndx(im.elf, &strings))
		while (!bytes && (section = elf_nextscn(im.elf, section))) {
			const char *name = gelf_getshdr(section, &header)
						   ? elf_strptr(im.elf, strings, header.sh_name)
						   : NULL;
			Elf_Data *data =
				name && !strcmp(name, wanted) ? elf_rawdata(section, NULL) : NULL;

			if (data && data->d_size) {
				bytes = g_memdup2(data->d_buf, data->d_size);
				*size = data->d_size;
			}
		}
	image_close(&im);
	return bytes;
}

/* A note: sizes of name and contents, type; then name and contents, each padded to 4 bytes. */
char *modfile_build_id(const guint8 *notes, gsize size)
{
	while (size >= 12) {
		guint32 head[3], name, bytes;

		memcpy(head, notes, sizeof(head));
		name = (head[0] + 3) & ~3U;
		bytes = (head[1] + 3) & ~3U;
		if (head[0] > size || head[1] > size || 12 + (gsize)name + bytes > size)
			break;
		if (head[2] == NT_GNU_BUILD_ID && head[0] == 4 && !memcmp(notes + 12, "GNU", 4)) {
			GString *text = g_string_new(NULL);

			for (guint32 i = 0; i < head[1]; i++)
				g_string_append_printf(text, "%02x", notes[12 + name + i]);
			return g_string_free(text, FALSE);
		}
		notes += 12 + name + bytes;
		size -= 12 + name + bytes;
	}
	return NULL;
}

char *modfile_build_id_of(const char *path)
{
	/* of a module, of a kernel */
	static const char *const sections[] = { ".note.gnu.build-id", ".notes", NULL };
	char *id = NULL;

	for (const char *const *s = sections; *s && !id; s++) {
		gsize size = 0;
		guint8 *notes = modfile_section(path, *s, &size);

		id = notes ? modfile_build_id(notes, size) : NULL;
		g_free(notes);
	}
	return id;
}
