/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pair_ids.h - numbers of pairs, from 0 in the order in which they are first asked for. Open
 * addressing, with the pairs in the slots: a lookup is, mostly, one cache line.
 */
#ifndef LAPWING_PAIR_IDS_H
#define LAPWING_PAIR_IDS_H

#include <stdint.h>

struct pair { uint64_t a, b; };

struct pair_ids {
	struct pair	*pairs;		/* by number */
	uint32_t	n;
	struct pair_slot {
		struct pair	pair;
		uint32_t	number;	/* plus one; 0: free */
	} *slots;
	uint32_t	nslots;		/* a power of two */
};

/*
 * Initially all 0. The number of a pair; n grows by one if it is new. Ends the program if there is
 * no memory.
 */
uint32_t pair_ids_number(struct pair_ids *t, uint64_t a, uint64_t b);
/* A pair will be asked for soon: what has it is brought into the cache. */
void pair_ids_prefetch(const struct pair_ids *t, uint64_t a, uint64_t b);
void pair_ids_clear(struct pair_ids *t);

#endif
