// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * packets.c - sends itself two datagrams over IPv4, the first of which is meant to be dropped, one
 * over IPv6, and a connection without data; all to port 4711, the datagrams from port 4712. It has
 * a network namespace of its own, so that the guest's loopback stays down for later tests. Exit
 * status: 0; 1 if the first datagram arrived; 2 if there is no network.
 */
#define _GNU_SOURCE
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TO = 4711, FROM = 4712 };

static struct sockaddr_storage self(int family, int port)
{
	struct sockaddr_storage s = { .ss_family = (sa_family_t)family };

	if (family == AF_INET) {
		((struct sockaddr_in *)&s)->sin_port = htons((uint16_t)port);
		((struct sockaddr_in *)&s)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	} else {
		((struct sockaddr_in6 *)&s)->sin6_port = htons((uint16_t)port);
		((struct sockaddr_in6 *)&s)->sin6_addr = in6addr_loopback;
	}
	return s;
}

static socklen_t size_of(int family)
{
	return family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
}

static int bound(int family, int type, int port)
{
	struct sockaddr_storage s = self(family, port);
	int fd = socket(family, type, 0);

	return fd < 0 || bind(fd, (struct sockaddr *)&s, size_of(family)) ? -1 : fd;
}

static int send_to(int from, int family, const char *text)
{
	struct sockaddr_storage s = self(family, TO);
	ssize_t n = (ssize_t)strlen(text);

	return sendto(from, text, (size_t)n, 0, (struct sockaddr *)&s, size_of(family)) != n;
}

static int bring_up(void)
{
	struct ifreq lo = { .ifr_name = "lo" };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (ioctl(fd, SIOCGIFFLAGS, &lo))
		return -1;
	lo.ifr_flags |= IFF_UP;
	return ioctl(fd, SIOCSIFFLAGS, &lo) | close(fd);
}

int main(void)
{
	struct sockaddr_storage to = self(AF_INET, TO);
	char got[16] = "";
	int in, out, tcp;

	if (unshare(CLONE_NEWNET) || bring_up())
		return 2;
	in = bound(AF_INET, SOCK_DGRAM, TO);
	out = bound(AF_INET, SOCK_DGRAM, FROM);
	if (send_to(out, AF_INET, "A dropped") || send_to(out, AF_INET, "B comes") ||
	    recv(in, got, sizeof(got), 0) < 1)
		return 2;
	if (*got != 'B')
		return 1;
	in = bound(AF_INET6, SOCK_DGRAM, TO);
	out = bound(AF_INET6, SOCK_DGRAM, FROM);
	if (send_to(out, AF_INET6, "six") || recv(in, got, sizeof(got), 0) < 1)
		return 2;
	tcp = bound(AF_INET, SOCK_STREAM, TO);
	out = socket(AF_INET, SOCK_STREAM, 0);
	if (listen(tcp, 1) || connect(out, (struct sockaddr *)&to, sizeof(struct sockaddr_in)))
		return 2;
	return close(out);
}
