/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lapwing-note.h - a program's own notes in the Lapwing runs that are under way: code that it made,
 * names of memory, the phase it is in.
 *
 *	struct lapwing_notes notes = lapwing_notes_open();
 *
 *	lapwing_note_code(&notes, buffer, size, "Calculator.add");	// now that the code is in place
 *	lapwing_note_phase(&notes, "load");				// from now on, for the whole process
 *	lapwing_notes_close(&notes);
 *
 * For C and C++; needs nothing but the C library. Without a run each call costs one comparison;
 * with one, a send(), which waits for 10 ms at most where that run is behind. The notes of a
 * process are about itself: the kernel says who sent them. Runs that begin later do not know
 * earlier notes: reopen now and then, and tell again what still holds.
 *
 * The interface beneath: every run that can use notes listens at a Unix datagram socket
 * DIR/PID.notes, where DIR is /run/lapwing for runs of root, and for those of its user the first of
 * $XDG_RUNTIME_DIR/lapwing, /run/user/UID/lapwing, /tmp/lapwing-UID whose parent is there to be
 * written. A note is one datagram, struct lapwing_note with a name; its numbers are in host byte
 * order.
 */
#ifndef LAPWING_NOTE_H
#define LAPWING_NOTE_H

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define LAPWING_NOTE_MAGIC	0x316e776cu	/* "lwn1" */
/* bytes of a name with its NUL; longer ones are cut */
#define LAPWING_NOTE_NAME	256
#define LAPWING_NOTES_RUNS	8		/* runs that are told at once */

enum lapwing_note_kind {
	LAPWING_NOTE_CODE = 1,	/* [start, start + bytes) is code of a function */
	/* [start, start + bytes) is of something with a name: what a file's path is for others */
	LAPWING_NOTE_IMAGE,
	LAPWING_NOTE_PHASE,	/* the process has come to a phase; "" for none */
};

struct lapwing_note {
	uint32_t	magic;
	uint32_t	kind;
	uint64_t	time;		/* ns of CLOCK_MONOTONIC: start of its validity */
	uint64_t	start, bytes;	/* 0 for a phase */
	char		name[LAPWING_NOTE_NAME];	/* UTF-8; sent up to and including its
							 * NUL */
};

struct lapwing_notes {
	int	fd[LAPWING_NOTES_RUNS];
	int	n;
};

static inline void lapwing_notes_look(struct lapwing_notes *notes, const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *d;

	while (dir && notes->n < LAPWING_NOTES_RUNS && (d = readdir(dir))) {
		struct sockaddr_un to;
		int fd;

		memset(&to, 0, sizeof(to));
		to.sun_family = AF_UNIX;
		if (!strstr(d->d_name, ".notes") ||
		    (size_t)snprintf(to.sun_path, sizeof(to.sun_path), "%s/%s", folder,
				     d->d_name) >= sizeof(to.sun_path))
			continue;
		fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		if (fd >= 0 && !connect(fd, (struct sockaddr *)&to, sizeof(to)))
			notes->fd[notes->n++] = fd;
		else if (fd >= 0)
			close(fd);
	}
	if (dir)
		closedir(dir);
}

/* Directory of this user's runs, if not root; 0, or -1: its name is too long. */
static inline int lapwing_notes_folder(char *folder, size_t size)
{
	const char *mine = getenv("XDG_RUNTIME_DIR");
	unsigned user = (unsigned)geteuid();
	int n;

	snprintf(folder, size, "/run/user/%u", user);
	if (mine && !access(mine, W_OK))
		n = snprintf(folder, size, "%s/lapwing", mine);
	else if (!access(folder, W_OK))
		n = snprintf(folder, size, "/run/user/%u/lapwing", user);
	else
		n = snprintf(folder, size, "/tmp/lapwing-%u", user);
	return (size_t)n < size ? 0 : -1;
}

/*
 * The runs that are under way; none is no error. One thread at a time opens and closes, any may
 * tell.
 */
static inline struct lapwing_notes lapwing_notes_open(void)
{
	struct lapwing_notes notes;
	struct stat st;
	char folder[80];

	memset(&notes, 0, sizeof(notes));
	lapwing_notes_look(&notes, "/run/lapwing");
	if (geteuid() && !lapwing_notes_folder(folder, sizeof(folder)) && !lstat(folder, &st) &&
	    S_ISDIR(st.st_mode) && st.st_uid == geteuid())
		lapwing_notes_look(&notes, folder);
	return notes;
}

static inline void lapwing_notes_close(struct lapwing_notes *notes)
{
	while (notes->n)
		close(notes->fd[--notes->n]);
}

#define LAPWING_NOTE_WAIT	10		/* ms */

/* Number of runs that received it; dead or busy ones are skipped. */
static inline int lapwing_note_send(const struct lapwing_notes *notes, uint32_t kind,
				    const volatile void *start, size_t bytes, const char *name)
{
	struct lapwing_note note;
	struct timespec now;
	int told = 0, i;
	size_t len;

	if (!notes->n)
		return 0;
	clock_gettime(CLOCK_MONOTONIC, &now);
	note.magic = LAPWING_NOTE_MAGIC;
	note.kind = kind;
	note.time = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	note.start = (uint64_t)(uintptr_t)start;
	note.bytes = bytes;
	strncpy(note.name, name, sizeof(note.name) - 1);
	note.name[sizeof(note.name) - 1] = 0;
	len = offsetof(struct lapwing_note, name) + strlen(note.name) + 1;
	for (i = 0; i < notes->n; i++) {
		struct pollfd room = { notes->fd[i], POLLOUT, 0 };

		if (send(notes->fd[i], &note, len, MSG_NOSIGNAL) > 0 ||
		    (errno == EAGAIN && poll(&room, 1, LAPWING_NOTE_WAIT) > 0 &&
		     send(notes->fd[i], &note, len, MSG_NOSIGNAL) > 0))
			told++;
	}
	return told;
}

static inline int lapwing_note_code(const struct lapwing_notes *notes, const volatile void *start,
				    size_t bytes, const char *name)
{
	return lapwing_note_send(notes, LAPWING_NOTE_CODE, start, bytes, name);
}

static inline int lapwing_note_image(const struct lapwing_notes *notes, const volatile void *start,
				     size_t bytes, const char *name)
{
	return lapwing_note_send(notes, LAPWING_NOTE_IMAGE, start, bytes, name);
}

static inline int lapwing_note_phase(const struct lapwing_notes *notes, const char *name)
{
	return lapwing_note_send(notes, LAPWING_NOTE_PHASE, NULL, 0, name);
}

#endif
