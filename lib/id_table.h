/* SPDX-License-Identifier: GPL-2.0-or-later */
/* id_table.h - a hash table of what is known of processes or threads, by their numbers. */
#ifndef LAPWING_LIB_ID_TABLE_H
#define LAPWING_LIB_ID_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* The first member of an entry. */
struct id_entry {
	struct id_entry	*next;
	int32_t		id;
};

#define ID_BUCKETS 4096
struct id_table {
	struct id_entry	*bucket[ID_BUCKETS];
};

static inline struct id_entry **id_link(struct id_table *t, int32_t id)
{
	struct id_entry **link = &t->bucket[(uint32_t)id % ID_BUCKETS];

	while (*link && (*link)->id != id)
		link = &(*link)->next;
	return link;
}

/* NULL: there is none. */
static inline void *id_find(struct id_table *t, int32_t id)
{
	return *id_link(t, id);
}

/* The same; a new one has `bytes` bytes, which are 0 but for its head. NULL: no memory. */
static inline void *id_get(struct id_table *t, int32_t id, size_t bytes)
{
	struct id_entry **link = id_link(t, id);

	if (!*link) {
		*link = (struct id_entry *)calloc(1, bytes);
		if (*link)
			(*link)->id = id;
	}
	return *link;
}

/* Takes an entry out of the table; it is the caller's to free. NULL: there is none. */
static inline void *id_remove(struct id_table *t, int32_t id)
{
	struct id_entry **link = id_link(t, id), *e = *link;

	if (e)
		*link = e->next;
	return e;
}

/* The entry that comes after another one; NULL: the first; there are no more. */
static inline void *id_next(const struct id_table *t, const void *after)
{
	const struct id_entry *e = (const struct id_entry *)after;
	uint32_t i = e ? (uint32_t)e->id % ID_BUCKETS + 1 : 0;

	if (e && e->next)
		return e->next;
	while (i < ID_BUCKETS && !t->bucket[i])
		i++;
	return i < ID_BUCKETS ? t->bucket[i] : NULL;
}

/* Every entry, each of which may be removed when it is reached. */
#define ID_EACH(p, t) \
	for (void *id_after = id_next(t, NULL); \
	     ((p) = id_after) != NULL && (id_after = id_next(t, p), 1);)

#endif
