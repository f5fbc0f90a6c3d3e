/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * notes.c - see notes.h.
 *
 * The folder is root's, or this user's own. Every program may send notes to root's runs, but only
 * about itself: the kernel identifies the sender of a datagram.
 */
#include "runtime/run/notes.h"

#include "lib/clock.h"
#include "runtime/run/folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* limit of notes taken at once, so that a flood of them does not block anything else */
#define ROUND	1024
#define RECEIVE	(4 << 20)	/* receive buffer, bytes */

static int at = -1;
static struct sockaddr_un address = { .sun_family = AF_UNIX };
static u64 bad;			/* datagrams that were no notes */
static void (*on_note)(const struct note *note, u32 len);

static int socket_open(const char *folder)
{
	int on = 1, room = RECEIVE;

	if ((size_t)snprintf(address.sun_path, sizeof(address.sun_path), "%s/%d.notes", folder,
			     getpid()) >= sizeof(address.sun_path))
		return -1;
	unlink(address.sun_path);
	at = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (at < 0)
		return -1;
	setsockopt(at, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
	if (!setsockopt(at, SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)) &&
	    !bind(at, (struct sockaddr *)&address, sizeof(address)) &&
	    !chmod(address.sun_path, geteuid() ? 0600 : 0666))
		return 0;
	close(at);
	at = -1;
	return -1;
}

int notes_open(void (*take)(const struct note *note, u32 len))
{
	char folder[FOLDER_SIZE];

	on_note = take;
	return folder_make(folder) || socket_open(folder) ? -1 : 0;
}

/* The sender of a datagram; 0: unknown. */
static pid_t sender(struct msghdr *h)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(h); c; c = CMSG_NXTHDR(h, c))
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_CREDENTIALS)
			return ((const struct ucred *)CMSG_DATA(c))->pid;
	return 0;
}

static void take(const void *datagram, size_t len, pid_t pid)
{
	struct note note;
	u32 n = note_read(datagram, len, pid, clock_ns(), &note);

	bad += !n;
	if (n)
		on_note(&note, n);
}

void notes_take(void)
{
	char bytes[sizeof(struct note) + 8];
	union { struct cmsghdr align; char room[CMSG_SPACE(sizeof(struct ucred))]; } control;

	for (int i = 0; i < ROUND && at >= 0; i++) {
		struct iovec v = { bytes, sizeof(bytes) };
		struct msghdr h = { .msg_iov = &v,
				    .msg_iovlen = 1,
				    .msg_control = &control,
				    .msg_controllen = sizeof(control) };
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

u64 notes_close(void)
{
	if (at >= 0) {
		close(at);
		unlink(address.sun_path);
	}
	at = -1;
	return bad;
}
