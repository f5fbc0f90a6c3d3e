/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * packets.c - over the loopback device, from port 7779: 5 datagrams over IPv4 to port 7780, then 10 to port 7778, 10 over IPv6 to port
 * 7778, of 20 bytes each, and a TCP connection to port 7781, which nobody listens to. Prints how many came, in that order.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

static int socket_at(int family, int type, int port)
{
	struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_port = htons((unsigned short)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = htons((unsigned short)port), .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	int s = socket(family, type, 0), v = family == AF_INET ? bind(s, (void *)&v4, sizeof(v4)) : bind(s, (void *)&v6, sizeof(v6));

	if (v)
		perror("bind");
	return s;
}

static int connect_to(int s, int family, int port)
{
	struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_port = htons((unsigned short)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = htons((unsigned short)port), .sin6_addr = IN6ADDR_LOOPBACK_INIT };

	return family == AF_INET ? connect(s, (void *)&v4, sizeof(v4)) : connect(s, (void *)&v6, sizeof(v6));
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

int main(void)
{
	cpu_set_t one;
	int drop, four, six, from4, from6, tcp, got4, got6;
	char text[20];

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	drop = socket_at(AF_INET, SOCK_DGRAM, 7780);
	four = socket_at(AF_INET, SOCK_DGRAM, 7778);
	six = socket_at(AF_INET6, SOCK_DGRAM, 7778);
	from4 = socket_at(AF_INET, SOCK_DGRAM, 7779);
	from6 = socket_at(AF_INET6, SOCK_DGRAM, 7779);
	send_to(from4, AF_INET, 7780, 5);
	send_to(from4, AF_INET, 7778, 10);
	send_to(from6, AF_INET6, 7778, 10);
	got4 = came(four, 10);
	got6 = came(six, 10);
	tcp = socket(AF_INET, SOCK_STREAM, 0);
	if (!connect_to(tcp, AF_INET, 7781) || errno != ECONNREFUSED)
		perror("connect");
	printf("received %d %d, dropped %d\n", got4, got6, recv(drop, text, sizeof(text), MSG_DONTWAIT) < 0 && errno == EAGAIN);
	return 0;
}
