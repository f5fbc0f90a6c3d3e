/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hostile.c - sends hostile notes to a run: 50 malformed datagrams, and a flood of 66,000 notes of
 * generated code.
 */
#include "../../runtime/lapwing-note.h"

/* Keeps only the socket of the run that started this program. */
static int only_parent(struct lapwing_notes *notes)
{
	char wanted[32];

	snprintf(wanted, sizeof(wanted), "/%d.notes", getppid());
	for (int i = 0; i < notes->n; i++) {
		struct sockaddr_un to = { .sun_family = AF_UNIX };
		socklen_t len = sizeof(to);

		if (getpeername(notes->fd[i], (struct sockaddr *)&to, &len) ||
		    !strstr(to.sun_path, wanted))
			continue;
		notes->fd[0] = notes->fd[i];
		notes->n = 1;
		return 0;
	}
	return -1;
}

int main(void)
{
	struct lapwing_notes notes = lapwing_notes_open();
	char bytes[4096];

	if (only_parent(&notes))
		return 3;
	printf("%d\n", getppid());
	srand(5);
	for (unsigned i = 0; i < 50; i++) {
		for (unsigned k = 0; k < sizeof(bytes); k++)
			bytes[k] = (char)rand();
		if (i % 2)
			memcpy(bytes, "lwn1", 4);
		while (send(notes.fd[0], bytes, i * 80 + 1, 0) < 0)
			usleep(1000);
	}
	for (unsigned long i = 0; i < 66000; i++)
		while (!lapwing_note_code(&notes, (void *)(0x100000 + 16 * i), 16, "a\033[31mred"))
			;
	return 0;
}
