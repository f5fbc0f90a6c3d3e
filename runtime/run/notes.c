/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * notes.c - the socket at which programs tell of themselves while a session runs (runtime/lapwing-note.h): each note goes to the runtime
 * and, of a module's session, to track.c.
 *
 * The folder is root's, or this user's own. Of root's runs every program may tell, but only of itself: the kernel says whose a datagram is.
 */
#include "runtime/run/run.h"

#include "runtime/elf/process.h"
#include "runtime/run/note.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define ROUND	1024		/* notes taken at once, so that a flood of them stops nothing else */
#define RECEIVE	(4 << 20)	/* bytes that may wait */

static int at = -1;
static struct sockaddr_un address = { .sun_family = AF_UNIX };
static u64 bad;			/* datagrams that were no notes */

/* The folder, made when it is not there; it must be ours and nobody else's to write. 0 or -1. */
static int folder_ready(const char *folder)
{
	struct stat st;

	mkdir(folder, 0755);
	return lstat(folder, &st) || !S_ISDIR(st.st_mode) || st.st_uid != geteuid() || st.st_mode & 022 ? -1 : 0;
}

static int socket_open(const char *folder)
{
	int on = 1, room = RECEIVE;

	if ((size_t)snprintf(address.sun_path, sizeof(address.sun_path), "%s/%d.notes", folder, getpid()) >= sizeof(address.sun_path))
		return -1;
	unlink(address.sun_path);
	at = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (at < 0)
		return -1;
	setsockopt(at, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
	if (!setsockopt(at, SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)) && !bind(at, (struct sockaddr *)&address, sizeof(address)) &&
	    !chmod(address.sun_path, geteuid() ? 0600 : 0666))
		return 0;
	close(at);
	at = -1;
	return -1;
}

void notes_open(void)
{
	const char *mine = getenv("XDG_RUNTIME_DIR");
	char folder[80] = "/run/lapwing";

	if (!(facts.hello.capture & (RT_CAP_USYMS | RT_CAP_USTACK | RT_CAP_NOTES)))
		return;
	if (!geteuid())
		mkdir("/run", 0755);	/* small guests have none */
	else if (!mine || (size_t)snprintf(folder, sizeof(folder), "%s/lapwing", mine) >= sizeof(folder))
		return;
	if (folder_ready(folder) || socket_open(folder))
		say("lapwing-run: %s: %s: programs cannot tell of themselves\n", folder, strerror(errno));
}

/* Whose datagram it is; 0: nobody says. */
static pid_t sender(struct msghdr *h)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(h); c; c = CMSG_NXTHDR(h, c))
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_CREDENTIALS)
			return ((const struct ucred *)CMSG_DATA(c))->pid;
	return 0;
}

static void take(const void *datagram, size_t len, pid_t pid)
{
	struct timespec t;
	struct note note;
	u32 n;

	clock_gettime(CLOCK_MONOTONIC, &t);
	n = note_read(datagram, len, pid, (u64)t.tv_sec * 1000000000ULL + (u64)t.tv_nsec, &note);
	bad += !n;
	if (!n)
		return;
	command_send(WIRE_NOTE, 0, &note, n);
	if (session == &session_kernel)
		track_note(&note.head, n);
}

void notes_take(void)
{
	char bytes[sizeof(struct note) + 8];
	union { struct cmsghdr align; char room[CMSG_SPACE(sizeof(struct ucred))]; } control;

	for (int i = 0; i < ROUND && at >= 0; i++) {
		struct iovec v = { bytes, sizeof(bytes) };
		struct msghdr h = { .msg_iov = &v, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control) };
		ssize_t n = recvmsg(at, &h, MSG_CMSG_CLOEXEC);

		if (n < 0)
			return;
		take(bytes, (size_t)n, sender(&h));
	}
}

int notes_fds(struct pollfd *fds)
{
	*fds = (struct pollfd){ .fd = at, .events = POLLIN };
	return at >= 0;
}

void notes_close(void)
{
	if (bad)
		fprintf(stderr, "WARNING: %llu notes that programs sent were none\n", bad);
	if (process_notes_refused())
		fprintf(stderr, "WARNING: %llu notes of programs were too many to be kept\n", process_notes_refused());
	if (at < 0)
		return;
	close(at);
	unlink(address.sun_path);
}
