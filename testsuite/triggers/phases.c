/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * phases.c - the example of the same name, again and again until it is killed. A phase begins when
 * the run knows of it: a module learns of a note when lapwing-run has passed it on, which may take
 * a while where others want the processor.
 */
#define _GNU_SOURCE
#include "../../runtime/lapwing-note.h"

#include <linux/sockios.h>
#include <sys/ioctl.h>

/* lapwing-run takes one note after another: it has passed the first on when it takes the second. */
static void tell_phase(const struct lapwing_notes *notes, const char *name)
{
	int left, i;

	lapwing_note_phase(notes, name);
	lapwing_note_phase(notes, name);
	for (i = 0; i < notes->n; i++)
		while (!ioctl(notes->fd[i], SIOCOUTQ, &left) && left > 0)
			usleep(1000);
}

#undef _GNU_SOURCE
#define lapwing_note_phase tell_phase
#define main once
#include "../../examples/phases.c"
#undef main

int main(int argc, char **argv)
{
	while (!once(argc, argv))
		;
	return 1;
}
