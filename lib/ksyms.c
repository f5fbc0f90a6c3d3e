/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ksyms.c - see ksyms.h. One block of memory is the table and the file: header, hash heads,
 * symbols, text.
 */
#include "lib/ksyms.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define KSYMS_MAGIC	0x334d59534b57504cULL	/* "LPWKSYM3" */
#define KSYMS_HEADS	(1u << 16)
/* they come and go with every run, like own_module */
#define OWN_MODULES	"lapwing_"

static const char *own_module;			/* NULL: not set */

struct header {
	uint64_t	magic, key, sum;	/* sum: checksum of everything after the header */
	uint32_t	n, heads, text;		/* text: bytes */
	uint32_t	has_traceable;
};

void ksyms_own_module(const char *name)
{
	own_module = name;
}

static int is_own(const char *module, size_t len)
{
	return !strncmp(module, OWN_MODULES, strlen(OWN_MODULES)) ||
	       (own_module && strlen(own_module) == len && !memcmp(module, own_module, len));
}

/* ---- reading text ----------------------------------------------------------------*/

/* Files in /proc have no size: reads until the end. NUL-terminated; caller frees. */
static char *read_whole(const char *path, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t room = 1 << 22, n = 0;
	char *text = fd >= 0 ? malloc(room) : NULL;
	ssize_t got = -1;

	while (text && (got = read(fd, text + n, room - n - 1)) > 0) {
		n += (size_t)got;
		if (room - n < 4096) {
			char *more = realloc(text, room *= 2);

			if (!more)
				break;
			text = more;
		}
	}
	if (fd >= 0)
		close(fd);
	if (!text || got) {
		free(text);
		return NULL;
	}
	text[n] = 0;
	*len = n;
	return text;
}

static uint64_t hash_bytes(uint64_t h, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;
	uint64_t word;

	for (; n >= 8; n -= 8, p += 8) {
		memcpy(&word, p, 8);
		h = (h ^ word) * 0x9e3779b97f4a7c15ULL;
		h ^= h >> 29;
	}
	while (n--)
		h = (h ^ *p++) * 0x100000001b3ULL;
	return h;
}

static uint32_t head_of(const char *name, size_t len)
{
	uint64_t h = hash_bytes(len, name, len);

	return (uint32_t)(h ^ h >> 32) & (KSYMS_HEADS - 1);
}

struct building {
	struct ksym	*sym;
	uint32_t	n, room;
	char		*text;
	size_t		used;
	uint32_t	*heads;
	uint32_t	module;		/* the last one: symbols of a module are adjacent */
};

static uint32_t put_text(struct building *b, const char *from, size_t len)
{
	uint32_t at = (uint32_t)b->used;

	memcpy(b->text + b->used, from, len);
	b->text[b->used + len] = 0;
	b->used += len + 1;
	return at;
}

static int put_symbol(struct building *b, uint64_t address, int is_static, const char *name,
		      size_t len, const char *module, size_t mlen)
{
	struct ksym *s;

	if (b->n == b->room) {
		s = realloc(b->sym, (size_t)(b->room += b->room) * sizeof(*s));
		if (!s)
			return -1;
		b->sym = s;
	}
	s = &b->sym[b->n++];
	*s = (struct ksym){ .address = address, .name = put_text(b, name, len), .is_static = (uint16_t)is_static };
	if (mlen) {
		if (!b->module || strncmp(b->text + b->module, module, mlen) ||
		    b->text[b->module + mlen])
			b->module = put_text(b, module, mlen);
		s->module = b->module;
	}
	return 0;
}

/* Lines "address type name[\t[module]]"; functions are of type t or w. */
static int take_lines(struct building *b, const char *p)
{
	while (*p) {
		const char *end = strchrnul(p, '\n'), *name, *module = "";
		uint64_t address = 0;
		size_t len, mlen = 0;

		for (; (unsigned)(*p - '0') < 10 || (unsigned)(*p - 'a') < 6; p++)
			address = address << 4 | (uint64_t)(*p <= '9' ? *p - '0' : *p - 'a' + 10);
		if (p[0] == ' ' && p[1] && strchr("tTwW", p[1]) && p[2] == ' ') {
			name = p + 3;
			len = strcspn(name, "\t \n");
			if (name[len] == '\t' || name[len] == ' ') {
				module = name + len + 1 + strspn(name + len + 1, " \t[");
				mlen = strcspn(module, "]\n");
			}
			if (mlen && is_own(module, mlen))
				len = 0;
			if (len && put_symbol(b, address, p[1] == 't', name, len, module, mlen))
				return -1;
		}
		p = *end ? end + 1 : end;
	}
	return 0;
}

/* Chains symbols so that those with the same name are found in their order. */
static void chain(struct building *b)
{
	for (uint32_t i = b->n; i-- > 0; ) {
		uint32_t *head = &b->heads[head_of(b->text + b->sym[i].name,
						   strlen(b->text + b->sym[i].name))];

		b->sym[i].next = *head;
		*head = i + 1;
	}
}

/* Lines "name[ [module]]" of available_filter_functions; functions not listed cannot be traced. */
static void mark_traceable(struct building *b, char *p)
{
	for (uint32_t i = 0; i < b->n; i++)
		b->sym[i].traceable = KSYM_UNTRACEABLE;
	while (*p) {
		char *end = strchrnul(p, '\n');
		size_t len = strcspn(p, " \t\n");
		uint32_t at = b->heads[head_of(p, len)];

		for (; at; at = b->sym[at - 1].next)
			if (!strncmp(b->text + b->sym[at - 1].name, p, len) &&
			    !b->text[b->sym[at - 1].name + len])
				b->sym[at - 1].traceable = KSYM_TRACEABLE;
		p = *end ? end + 1 : end;
	}
}

/* The list has one name per function; its aliases are in kallsyms, at the same address. */
static void spread_traceable(struct building *b)
{
	for (uint32_t i = 0, end; i < b->n; i = end) {
		uint16_t best = 0;

		for (end = i; end < b->n && b->sym[end].address == b->sym[i].address; end++)
			if (b->sym[end].traceable > best)
				best = b->sym[end].traceable;
		for (uint32_t k = i; k < end && b->sym[i].address; k++)
			b->sym[k].traceable = best;
	}
}

/* ---- the block --------------------------------------------------------------------*/

static void view(struct ksyms *k)
{
	const struct header *h = k->base;

	k->heads = (const uint32_t *)(h + 1);
	k->sym = (const struct ksym *)(k->heads + h->heads);
	k->n = h->n;
	k->text = (const char *)(k->sym + h->n);
}

static struct ksyms *make_block(const struct building *b, uint64_t key, int has_traceable)
{
	struct header h = {
		KSYMS_MAGIC, key, 0, b->n, KSYMS_HEADS, (uint32_t)b->used, (uint32_t)has_traceable
	};
	struct ksyms *k = calloc(1, sizeof(*k));
	size_t heads = KSYMS_HEADS * sizeof(uint32_t), symbols = b->n * sizeof(struct ksym);
	char *p;

	if (!k)
		return NULL;
	k->bytes = sizeof(h) + heads + symbols + b->used;
	k->base = p = malloc(k->bytes);
	if (!p) {
		free(k);
		return NULL;
	}
	memcpy(p + sizeof(h), b->heads, heads);
	memcpy(p + sizeof(h) + heads, b->sym, symbols);
	memcpy(p + sizeof(h) + heads + symbols, b->text, b->used);
	h.sum = hash_bytes(key, p + sizeof(h), k->bytes - sizeof(h));
	memcpy(p, &h, sizeof(h));
	view(k);
	return k;
}

static struct ksyms *make_table(const struct ksyms_source *source)
{
	size_t len = 0, traceable_len;
	char *text = read_whole(source->kallsyms, &len), *traceable = NULL;
	struct building b = { .room = 1 << 16, .used = 1 };
	struct ksyms *k = NULL;

	if (!text)
		return NULL;
	b.sym = malloc(b.room * sizeof(*b.sym));
	b.text = calloc(1, len + 2);		/* names are shorter than their lines */
	b.heads = calloc(KSYMS_HEADS, sizeof(*b.heads));
	if (b.sym && b.text && b.heads && len < UINT32_MAX && !take_lines(&b, text)) {
		chain(&b);
		if (source->traceable)
			traceable = read_whole(source->traceable, &traceable_len);
		if (traceable)
			mark_traceable(&b, traceable);
		if (traceable)
			spread_traceable(&b);
		k = make_block(&b, source->key, source->traceable != NULL);
	}
	free(traceable);
	free(b.heads);
	free(b.text);
	free(b.sym);
	free(text);
	return k;
}

/* ---- the cache ---------------------------------------------------------------------*/

static int is_sound(const struct ksyms *k, const struct ksyms_source *source)
{
	const struct header *h = k->base;
	uint64_t bytes;

	if (k->bytes < sizeof(*h) || h->magic != KSYMS_MAGIC || h->key != source->key ||
	    h->heads != KSYMS_HEADS || (source->traceable && !h->has_traceable))
		return 0;
	bytes = sizeof(*h) + (uint64_t)h->heads * 4 + (uint64_t)h->n * sizeof(struct ksym) +
		h->text;
	/* The checksum covers every offset: they were valid when the table was made. */
	return bytes == k->bytes && h->text &&
	       h->sum == hash_bytes(h->key, (const char *)k->base + sizeof(*h),
				    k->bytes - sizeof(*h));
}

static struct ksyms *map_kept(const struct ksyms_source *source)
{
	int fd = source->kept ? open(source->kept, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
	struct ksyms *k = NULL;
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    !(st.st_mode & 022) && (k = calloc(1, sizeof(*k)))) {
		k->mapped = 1;
		k->bytes = (size_t)st.st_size;
		k->base =
			k->bytes ? mmap(NULL, k->bytes, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
		if (k->base == MAP_FAILED) {
			free(k);
			k = NULL;
		} else if (is_sound(k, source)) {
			view(k);
		} else {
			ksyms_close(k);
			k = NULL;
		}
	}
	if (fd >= 0)
		close(fd);
	return k;
}

/* A cache that cannot be written costs time, nothing else. */
static void keep(const struct ksyms *k, const char *path)
{
	char part[4096];
	int fd, ok;

	snprintf(part, sizeof(part), "%s.%d", path, (int)getpid());
	fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return;
	ok = write(fd, k->base, k->bytes) == (ssize_t)k->bytes;
	ok &= !close(fd);
	if (!ok || rename(part, path))
		unlink(part);
}

/* kptr_restrict hides all addresses as 0; a later reader may see them. */
static int is_hidden(const struct ksyms *k)
{
	for (uint32_t i = 0; i < k->n; i++)
		if (k->sym[i].address)
			return 0;
	return 1;
}

struct ksyms *ksyms_open(const struct ksyms_source *source)
{
	struct ksyms *k = map_kept(source);

	if (k)
		return k;
	k = make_table(source);
	if (k && source->kept && !is_hidden(k))
		keep(k, source->kept);
	return k;
}

void ksyms_close(struct ksyms *k)
{
	if (!k)
		return;
	if (k->mapped)
		munmap(k->base, k->bytes);
	else
		free(k->base);
	free(k);
}

static const struct ksym *first_of(const struct ksyms *k, uint32_t at, const char *name)
{
	for (; at; at = k->sym[at - 1].next)
		if (!strcmp(k->text + k->sym[at - 1].name, name))
			return &k->sym[at - 1];
	return NULL;
}

const struct ksym *ksyms_find(const struct ksyms *k, const char *name)
{
	return first_of(k, k->heads[head_of(name, strlen(name))], name);
}

const struct ksym *ksyms_again(const struct ksyms *k, const struct ksym *sym)
{
	return first_of(k, sym->next, k->text + sym->name);
}

static uint64_t hash_file(uint64_t key, const char *path)
{
	size_t len = 0;
	char *text = read_whole(path, &len);

	key = text ? hash_bytes(key, text, len) : key;
	free(text);
	return key;
}

/*
 * Which load of a module it is: sysfs numbers its folders anew. One that was built again may be loaded
 * again at the same address.
 */
static uint64_t load_of(const char *line, size_t name)
{
	char path[128];
	struct stat st;

	snprintf(path, sizeof(path), "/sys/module/%.*s", (int)name, line);
	return stat(path, &st) ? 0 : (uint64_t)st.st_ino;
}

/*
 * Of the loaded modules name, address and which load it is, but not their use counts. Without
 * kptr_restrict in the key, a kernel without modules would reuse a table with visible addresses after it
 * hides them.
 */
uint64_t ksyms_key_running(void)
{
	uint64_t key = hash_file(hash_file(geteuid(), "/proc/sys/kernel/random/boot_id"),
				 "/proc/sys/kernel/kptr_restrict");
	char *modules, *p;
	size_t len = 0;

	modules = p = read_whole("/proc/modules", &len);
	while (p && *p) {
		char *end = strchrnul(p, '\n'), *place = memmem(p, (size_t)(end - p), " 0x", 3);
		size_t name = strcspn(p, " \n");
		uint64_t load = load_of(p, name);

		if (!is_own(p, name)) {
			key = hash_bytes(key, p, name);
			key = place ? hash_bytes(key, place, (size_t)(end - place)) : key;
			key = hash_bytes(key, &load, sizeof(load));
		}
		p = *end ? end + 1 : end;
	}
	free(modules);
	return key;
}

/* mkdir -p, private to the user. */
static void make_folder(char *path)
{
	for (char *p = path + 1; *p; p++)
		if (*p == '/') {
			*p = 0;
			mkdir(path, 0700);
			*p = '/';
		}
	mkdir(path, 0700);
}

/*
 * Path of that file in the cache directory: 0, or -1: the directory cannot exist or is not private
 * to us.
 */
static int cache_file(char *path, size_t size, const char *file)
{
	const char *set = getenv("LAPWING_CACHE"), *xdg = getenv("XDG_CACHE_HOME"),
		   *home = getenv("HOME");
	struct stat st;
	int n;

	if (set && *set)
		n = snprintf(path, size, "%s", set);
	else if (xdg && *xdg)
		n = snprintf(path, size, "%s/lapwing", xdg);
	else
		n = snprintf(path, size, "%s/.cache/lapwing", home ? home : "");
	if (n <= 0 || (size_t)n + strlen(file) + 2 > size || path[0] != '/')
		return -1;
	make_folder(path);
	if (lstat(path, &st) || !S_ISDIR(st.st_mode) || st.st_uid != geteuid() || st.st_mode & 022)
		return -1;
	sprintf(path + n, "/%s", file);
	return 0;
}

struct ksyms *ksyms_open_running(int with_traceable)
{
	static const char *const lists[] = {
		"/sys/kernel/tracing/available_filter_functions",
		"/sys/kernel/debug/tracing/available_filter_functions"
	};
	struct ksyms_source source = { .kallsyms = "/proc/kallsyms", .key = ksyms_key_running() };
	char path[4096];

	for (unsigned i = 0; with_traceable && i < 2 && !source.traceable; i++)
		source.traceable = access(lists[i], R_OK) ? NULL : lists[i];
	source.kept = cache_file(path, sizeof(path), "symbols") ? NULL : path;
	return ksyms_open(&source);
}
