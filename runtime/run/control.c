/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * control.c - see control.h: the answering side. The asking side is cmd/ctl.c.
 */
#include "runtime/run/control.h"

#include "runtime/run/folder.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

const char *const control_words[CONTROL_WORDS] = {
	[CONTROL_STATUS] = "status", [CONTROL_ON] = "on", [CONTROL_OFF] = "off", [CONTROL_FLUSH] = "flush",
};

static int at = -1;
static struct sockaddr_un address = { .sun_family = AF_UNIX };
static char own_name[sizeof(((struct control_answer *)0)->name)];
static int (*on_word)(enum control_word word, struct control_answer *a);

int control_open(const char *name, int (*act)(enum control_word word, struct control_answer *a))
{
	char folder[FOLDER_SIZE];
	mode_t mask;
	int rc;

	if (folder_make(folder))
		return -1;
	on_word = act;
	snprintf(own_name, sizeof(own_name), "%s", name);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/%d" CONTROL_SUFFIX, folder,
		 getpid());
	unlink(address.sun_path);
	at = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	mask = umask(0177);
	rc = at < 0 ? -1 : bind(at, (struct sockaddr *)&address, sizeof(address));
	umask(mask);
	if (rc && at >= 0) {
		close(at);
		at = -1;
	}
	return rc;
}

void control_take(void)
{
	struct control_request request;
	struct sockaddr_un from;

	while (at >= 0) {
		socklen_t len = sizeof(from);
		ssize_t n =
			recvfrom(at, &request, sizeof(request), 0, (struct sockaddr *)&from, &len);
		struct control_answer answer = { .magic = CONTROL_MAGIC };

		if (n < 0)
			return;
		if (n != sizeof(request) || request.magic != CONTROL_MAGIC ||
		    request.word >= CONTROL_WORDS)
			continue;
		memcpy(answer.name, own_name, sizeof(own_name));
		answer.refused = (u32)!!on_word(request.word, &answer);
		sendto(at, &answer, sizeof(answer), 0, (struct sockaddr *)&from, len);
	}
}

void control_close(void)
{
	if (at < 0)
		return;
	close(at);
	unlink(address.sun_path);
	at = -1;
}
