/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue.c - items that wait in two lists, for the examples of queues: each is put at one head,
 * taken from there, put at the other, taken again. Usage: queue ITEMS MILLISECONDS: so long an item
 * stays in the first list, twice as long in the second. Prints nothing.
 */
#include <stdlib.h>
#include <unistd.h>

struct item {
	struct item *next;
	long number;
};

__attribute__((noinline)) void queue_add(struct item **head, struct item *item)
{
	item->next = *head;
	*head = item;
}

__attribute__((noinline)) void queue_remove(struct item **head, struct item *item)
{
	while (*head && *head != item)
		head = &(*head)->next;
	if (*head)
		*head = item->next;
	__asm__ volatile("" ::: "memory");
}

static void stay(struct item **head, struct item *item, long ms)
{
	queue_add(head, item);
	usleep((useconds_t)ms * 1000);
	queue_remove(head, item);
}

int main(int argc, char **argv)
{
	static struct item *first, *second;
	struct item items[1000] = { 0 };
	long n = argc > 2 ? atol(argv[1]) : 20, ms = argc > 2 ? atol(argv[2]) : 2;

	for (long i = 0; i < n && i < 1000; i++) {
		items[i].number = i;
		stay(&first, &items[i], ms);
		stay(&second, &items[i], 2 * ms);
	}
	return first || second;
}
