/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debugfile.c - see debugfile.h.
 */
#include "symbolize/debugfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static u32 crc32_of(const unsigned char *p, u64 n)
{
	static u32 of_byte[256];
	u32 crc = ~0U;

	for (u32 i = 0; i < 256 && !of_byte[255]; i++) {
		u32 c = i;

		for (int bit = 0; bit < 8; bit++)
			c = c >> 1 ^ (c & 1 ? 0xedb88320U : 0);
		of_byte[i] = c;
	}
	while (n--)
		crc = crc >> 8 ^ of_byte[(crc ^ *p++) & 0xff];
	return ~crc;
}

/* 0: the file at a path belongs to the image with this build-id. */
static int open_checked(struct elf *debug, const char *path, const char *id)
{
	char other[ELF_ID];

	if (elf_open(debug, path))
		return -1;
	elf_build_id(debug, other);
	if (!strcmp(id, other))
		return 0;
	elf_close(debug);
	return -1;
}

/* The cache of debuginfod's own client. */
static int open_fetched(struct elf *debug, const char *id, char path[DEBUGFILE_PATH])
{
	const char *folder = getenv("DEBUGINFOD_CACHE_PATH"), *cache = getenv("XDG_CACHE_HOME"),
		   *home = getenv("HOME");

	if (folder)
		snprintf(path, DEBUGFILE_PATH, "%s/%s/debuginfo", folder, id);
	else if (cache)
		snprintf(path, DEBUGFILE_PATH, "%s/debuginfod_client/%s/debuginfo", cache, id);
	else
		snprintf(path, DEBUGFILE_PATH, "%s/.cache/debuginfod_client/%s/debuginfo",
			 home ? home : "", id);
	return open_checked(debug, path, id);
}

static int open_by_id(struct elf *debug, const char *id, const char *root,
		      char path[DEBUGFILE_PATH])
{
	if (strlen(id) < 4)
		return -1;
	snprintf(path, DEBUGFILE_PATH, "%s/usr/lib/debug/.build-id/%.2s/%s.debug", root, id,
		 id + 2);
	return !open_checked(debug, path, id) || (!*root && !open_fetched(debug, id, path)) ? 0
											    : -1;
}

static int open_by_link(struct elf *debug, const struct elf *image, const char *root,
			const char *shown, char path[DEBUGFILE_PATH])
{
	static const char *const places[] = { "%s%.*s/%s", "%s%.*s/.debug/%s",
					      "%s/usr/lib/debug%.*s/%s" };
	const char *slash = strrchr(shown, '/');
	u64 size = 0;
	const char *name = elf_section(image, ".gnu_debuglink", &size);
	u32 crc;

	if (!name || !slash || size < 8 || !memchr(name, 0, size - 4))
		return -1;
	memcpy(&crc, name + size - 4, 4);
	for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		snprintf(path, DEBUGFILE_PATH, places[i], root, (int)(slash - shown), shown, name);
		if (elf_open(debug, path))
			continue;
		if (crc32_of(debug->p, debug->size) == crc)
			return 0;
		elf_close(debug);
	}
	return -1;
}

int debugfile_open(struct elf *debug, const struct elf *image, const char *root, const char *shown,
		   char path[DEBUGFILE_PATH])
{
	const char *const roots[] = { root, "" };
	char id[ELF_ID];

	elf_build_id(image, id);
	for (int i = *root ? 0 : 1; i < 2; i++)
		if (!open_by_id(debug, id, roots[i], path) ||
		    !open_by_link(debug, image, roots[i], shown, path))
			return 0;
	return -1;
}

int debugfile_open_alt(struct elf *alt, const struct elf *debug, const char *root, const char *path)
{
	const char *const roots[] = { root, "" };
	char id[ELF_ID] = "", where[DEBUGFILE_PATH], *slash;
	const char *name, *end;
	u64 size = 0;

	name = elf_section(debug, ".gnu_debugaltlink", &size);
	if (!name)
		return 1;
	end = memchr(name, 0, size);
	if (!end || (u64)(name + size - end - 1) > ELF_ID / 2)
		return -1;
	for (const char *p = end + 1; p < name + size; p++)
		sprintf(id + 2 * (p - end - 1), "%02x", (unsigned char)*p);
	for (int i = *root ? 0 : 1; i < 2; i++) {
		if (!open_by_id(alt, id, roots[i], where))
			return 0;
		snprintf(where, sizeof(where), "%s", *name == '/' ? roots[i] : path);
		slash = strrchr(where, '/');
		if (*name != '/' && slash)
			slash[1] = 0;
		strncat(where, name, sizeof(where) - strlen(where) - 1);
		if (*id && !open_checked(alt, where, id))
			return 0;
	}
	return -1;
}
