/* SPDX-License-Identifier: GPL-2.0-or-later */
/* id_table.h - a hash table of data on processes or threads, by their IDs. */
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

/* The entry with that ID; NULL: none. */
static inline void *id_find(struct id_table *t, int32_t id)
{
	return *id_link(t, id);
}

/*
 * The same; creates a missing entry of `bytes` bytes, which are 0 except for its head. NULL: no
 * memory.
 */
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

/* Removes an entry from the table; the caller frees it. NULL: none. */
static inline void *id_remove(struct id_table *t, int32_t id)
{
	struct id_entry **link = id_link(t, id), *e = *link;

	if (e)
		*link = e->next;
	return e;
}

/* The entry after another one, or the first one after NULL. NULL: no more. */
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

/* Visits every entry, which may be removed when it is reached. */
#define ID_EACH(p, t) \
	for (void *id_after = id_next(t, NULL); \
	     ((p) = id_after) != NULL && (id_after = id_next(t, p), 1);)

#endif
