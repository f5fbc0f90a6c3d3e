/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.c - a translated script as a file, before it is loaded: all of its bytes, its ELF sections,
 * the entries of its .modinfo.
 */
#include "runtime/run/file.h"

#include "lib/option.h"
#include "runtime/run/run.h"
#include "runtime/run/script_error.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *file_section(const char *p, size_t n, const char *wanted, size_t *size)
{
	Elf64_Ehdr h;
	Elf64_Shdr names, s;

	if (n < sizeof(h))
		return NULL;
	memcpy(&h, p, sizeof(h));
	if (memcmp(h.e_ident, ELFMAG, SELFMAG) || h.e_shoff > n ||
	    h.e_shnum > (n - h.e_shoff) / sizeof(s) || h.e_shstrndx >= h.e_shnum)
		return NULL;
	memcpy(&names, p + h.e_shoff + h.e_shstrndx * sizeof(s), sizeof(s));
	for (size_t i = 0; i < h.e_shnum; i++) {
		memcpy(&s, p + h.e_shoff + i * sizeof(s), sizeof(s));
		if (names.sh_offset > n || s.sh_name >= n - names.sh_offset || s.sh_offset > n ||
		    s.sh_size > n - s.sh_offset)
			continue;
		if (strncmp(p + names.sh_offset + s.sh_name, wanted,
			    n - names.sh_offset - s.sh_name))
			continue;
		*size = s.sh_size;
		return p + s.sh_offset;
	}
	return NULL;
}

const char *file_info(const char *p, size_t n, const char *key)
{
	size_t size = 0, len = strlen(key);
	const char *at = file_section(p, n, ".modinfo", &size), *end = at + size;

	for (; at && at < end; at += strnlen(at, (size_t)(end - at)) + 1)
		if ((size_t)(end - at) > len && !memcmp(at, key, len) && at[len] == '=' &&
		    memchr(at, 0, (size_t)(end - at)))
			return at + len + 1;
	return NULL;
}

char *file_read(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	char *p = NULL;

	if (fd < 0 || fstat(fd, &st)) {
		option_fail(FAILURE_FILE_READ, "%s: %s", path, strerror(errno));
	} else if ((st.st_uid && st.st_uid != geteuid()) || (st.st_mode & 022)) {
		run_error_show(RUN_MODULE_OTHERS, path);
	} else {
		*size = (size_t)st.st_size;
		p = malloc(*size + 1);
		if (p && read(fd, p, *size) != (ssize_t)*size) {
			free(p);
			p = NULL;
			option_fail(FAILURE_FILE_READ, "%s: cannot be read whole", path);
		}
	}
	if (fd >= 0)
		close(fd);
	return p;
}
