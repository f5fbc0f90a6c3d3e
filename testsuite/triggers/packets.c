/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * packets.c - over the loopback device, from port 7779: 5 datagrams over IPv4 to port 7780, then 10 to port 7778, 10 over IPv6 to port
 * 7778, of 20 bytes each, and a TCP connection to port 7781, which nobody listens to; then 3 datagrams to port 7782 in a network namespace
 * of its own. Prints how many came, in that order. packets flood: datagrams to a port of its own, until it is killed.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

union address {
	struct sockaddr		any;
	struct sockaddr_in	v4;
	struct sockaddr_in6	v6;
};

/* Of this machine. Its size. */
static socklen_t address(int family, int port, union address *to)
{
	in_port_t at = htons((in_port_t)port);

	if (family == AF_INET) {
		to->v4 = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = at };
		to->v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		return sizeof(to->v4);
	}
	to->v6 = (struct sockaddr_in6){ .sin6_family = AF_INET6, .sin6_port = at };
	to->v6.sin6_addr = in6addr_loopback;
	return sizeof(to->v6);
}

static int socket_at(int family, int port)
{
	int s = socket(family, SOCK_DGRAM, 0);
	union address here;

	if (bind(s, &here.any, address(family, port, &here)))
		perror("bind");
	return s;
}

static int connect_to(int s, int family, int port)
{
	union address there;

	return connect(s, &there.any, address(family, port, &there));
}

/* How many of n that were sent have come. Packets keep their order on one CPU: what others sent before is there, too, or will never be. */
static int came(int s, int n)
{
	char text[20];
	int got = 0;

	while (got < n && recv(s, text, sizeof(text), 0) == sizeof(text))
		got++;
	return got;
}

static void send_to(int s, int family, int port, int n)
{
	char text[20] = "a packet";

	if (connect_to(s, family, port))
		perror("connect");
	while (n--)
		if (send(s, text, sizeof(text), 0) != sizeof(text))
			perror("send");
}

static int in_new_namespace(void)
{
	struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int from, to;

	if (unshare(CLONE_NEWNET) || ioctl(socket(AF_INET, SOCK_DGRAM, 0), SIOCSIFFLAGS, &lo))
		perror("a network namespace");
	to = socket_at(AF_INET, 7782);
	from = socket_at(AF_INET, 7779);
	send_to(from, AF_INET, 7782, 3);
	return came(to, 3);
}

static void flood(void)
{
	int s = socket_at(AF_INET, 7783);

	for (;;)
		send_to(s, AF_INET, 7783, 100);
}

int main(int argc, char **argv)
{
	cpu_set_t one;
	int drop, four, six, from4, from6, tcp, got4, got6, dropped;
	char text[20];

	if (argc > 1 && !strcmp(argv[1], "flood"))
		flood();
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	drop = socket_at(AF_INET, 7780);
	four = socket_at(AF_INET, 7778);
	six = socket_at(AF_INET6, 7778);
	from4 = socket_at(AF_INET, 7779);
	from6 = socket_at(AF_INET6, 7779);
	send_to(from4, AF_INET, 7780, 5);
	send_to(from4, AF_INET, 7778, 10);
	send_to(from6, AF_INET6, 7778, 10);
	got4 = came(four, 10);
	got6 = came(six, 10);
	tcp = socket(AF_INET, SOCK_STREAM, 0);
	if (!connect_to(tcp, AF_INET, 7781) || errno != ECONNREFUSED)
		perror("connect");
	dropped = recv(drop, text, sizeof(text), MSG_DONTWAIT) < 0 && errno == EAGAIN;
	printf("received %d %d, dropped %d, elsewhere %d\n", got4, got6, dropped, in_new_namespace());
	return 0;
}
