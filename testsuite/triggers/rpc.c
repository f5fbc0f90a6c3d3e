/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rpc.c - remote procedure calls of the kernel, both ways: it mounts a folder of a server on port 7711, which is this program and denies
 * it; and nfsd is sent N calls of its procedure 0, with the numbers 0x5a000001 ... 0x5a00000N.
 *
 *   rpc N
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOUNT_PORT = 7711, NFS_PORT = 2049, LAST = (int)0x80000000, CALL = 0, REPLY = 1, NFS = 100003, DENIED = 13 };

static void must(int is_so, const char *what)
{
	if (!is_so) {
		perror(what);
		exit(1);
	}
}

static int tcp(int port, struct sockaddr_in *at)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;

	*at = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons((unsigned short)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	must(fd >= 0, "socket");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	return fd;
}

/* A whole record without its length; the number of words, 0: the other end has gone. */
static int receive(int fd, unsigned *words, size_t room)
{
	unsigned length;

	if (recv(fd, &length, 4, MSG_WAITALL) != 4)
		return 0;
	length = ntohl(length) & ~(unsigned)LAST;
	must(length <= room, "a long record");
	return recv(fd, words, length, MSG_WAITALL) == (ssize_t)length ? (int)(length / 4) : 0;
}

static void transmit(int fd, const unsigned *words, unsigned n)
{
	unsigned record[16] = { htonl((unsigned)LAST | (n * 4)) };

	for (unsigned i = 0; i < n; i++)
		record[i + 1] = htonl(words[i]);
	must(write(fd, record, (n + 1) * 4) == (ssize_t)(n + 1) * 4, "send");
}

/* Answers each call: the first procedure with that it is denied, others with nothing. */
static void serve(int listening)
{
	unsigned call[256];

	for (;;) {
		int fd = accept(listening, NULL, NULL);

		while (receive(fd, call, sizeof(call)) > 5) {
			unsigned reply[] = { ntohl(call[0]), REPLY, 0, 0, 0, 0, DENIED };

			transmit(fd, reply, ntohl(call[5]) == 1 ? 7 : 6);
		}
		close(fd);
	}
}

static void mount_from_here(void)
{
	struct sockaddr_in at;
	int listening = tcp(MOUNT_PORT, &at);
	pid_t server;

	must(!bind(listening, (void *)&at, sizeof(at)) && !listen(listening, 5), "listen");
	server = fork();
	if (!server)
		serve(listening);
	must(mount("127.0.0.1:/export", "/tmp", "nfs", 0, "vers=3,proto=tcp,addr=127.0.0.1,mountaddr=127.0.0.1,mountproto=tcp,mountport=7711,"
		"mountvers=3,port=7712,nolock,sec=sys") < 0 && errno == EACCES, "mount");
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);
}

static void call_nfsd(unsigned n)
{
	struct sockaddr_in at;
	int fd = tcp(NFS_PORT, &at);
	unsigned reply[64];

	must(!connect(fd, (void *)&at, sizeof(at)), "nfsd");
	for (unsigned i = 1; i <= n; i++) {
		unsigned call[] = { 0x5a000000 + i, CALL, 2, NFS, 4, 0, 0, 0, 0, 0 };

		transmit(fd, call, 10);
		must(receive(fd, reply, sizeof(reply)) >= 6 && ntohl(reply[0]) == call[0], "reply");
	}
	close(fd);
}

int main(int argc, char **argv)
{
	mount_from_here();
	call_nfsd(argc > 1 ? (unsigned)atoi(argv[1]) : 1);
	return 0;
}
