// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * exchanges.c - sends itself TCP and UDP messages, with known numbers of calls and bytes, in a
 * network namespace of its own, and prints what the kernel counted there.
 *
 * Output: "kernel NAME N" for the counters of /proc/self/net/snmp and netstat. Exit status: 0; 2 if
 * there is no network, or another call failed, which stderr names.
 *
 * Over IPv4 and over IPv6: a connection from port 4712 to 4711 that carries MESSAGES times SIZE
 * bytes; one that is reset; one to a port without a listener; DATAGRAMS datagrams of SIZE bytes.
 * Then a server that does not accept gets one connection more than its queue takes, and a single
 * byte waits for a delayed acknowledgement.
 */
#define _GNU_SOURCE
#include "counters.h"

#include <netinet/in.h>
#include <netinet/tcp.h>

enum { MESSAGES = 5, DATAGRAMS = 3, SIZE = 100, SERVER = 4711, CLIENT = 4712, NOBODY = 4713 };

static socklen_t self(struct sockaddr_storage *s, int family, int port)
{
	*s = (struct sockaddr_storage){ .ss_family = (sa_family_t)family };
	((struct sockaddr_in *)s)->sin_port = htons((uint16_t)port);
	if (family == AF_INET6) {
		((struct sockaddr_in6 *)s)->sin6_addr = in6addr_loopback;
		return sizeof(struct sockaddr_in6);
	}
	((struct sockaddr_in *)s)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return sizeof(struct sockaddr_in);
}

static int bound(int family, int type, int port)
{
	struct sockaddr_storage s;
	socklen_t size = self(&s, family, port);
	int fd = socket(family, type, 0), on = 1;

	need(fd >= 0 && !setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)), "socket");
	need(!bind(fd, (struct sockaddr *)&s, size), "bind");
	return fd;
}

static int listening(int family, int queue)
{
	int fd = bound(family, SOCK_STREAM, SERVER);

	need(!listen(fd, queue), "listen");
	return fd;
}

static int connected(int fd, int family, int port)
{
	struct sockaddr_storage s;
	socklen_t size = self(&s, family, port);

	return connect(fd, (struct sockaddr *)&s, size);
}

/* Each end closes only after the other's last segment has arrived. */
static void close_both(int first, int second)
{
	char c;

	need(!shutdown(first, SHUT_WR) && !recv(second, &c, 1, 0), "shutdown");
	need(!shutdown(second, SHUT_WR) && !recv(first, &c, 1, 0), "shutdown");
	close(first);
	close(second);
}

static void converse(int server, int family)
{
	int client = bound(family, SOCK_STREAM, CLIENT), on = 1, peer;
	char text[SIZE] = "";

	need(!connected(client, family, SERVER), "connect");
	need((peer = accept(server, NULL, NULL)) >= 0, "accept");
	need(!setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)), "setsockopt");
	for (int i = 0; i < MESSAGES; i++) {
		need(send(client, text, SIZE, 0) == SIZE, "send");
		need(recv(peer, text, SIZE, MSG_WAITALL) == SIZE, "recv");
	}
	close_both(client, peer);
}

static void break_off(int server, int family)
{
	struct linger at_once = { 1, 0 };
	int client = socket(family, SOCK_STREAM, 0), peer;
	char c;

	need(!connected(client, family, SERVER), "connect");
	need((peer = accept(server, NULL, NULL)) >= 0, "accept");
	need(!setsockopt(client, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)), "setsockopt");
	close(client);
	need(recv(peer, &c, 1, 0) < 0 && errno == ECONNRESET, "a broken connection");
	close(peer);
}

static void refuse(int family)
{
	int client = socket(family, SOCK_STREAM, 0);

	need(connected(client, family, NOBODY) && errno == ECONNREFUSED, "a refused connection");
	close(client);
}

static void datagrams(int family)
{
	int in = bound(family, SOCK_DGRAM, SERVER), out = bound(family, SOCK_DGRAM, CLIENT);
	struct sockaddr nowhere = { .sa_family = AF_UNSPEC }, from;
	struct sockaddr_storage to;
	socklen_t size = self(&to, family, SERVER), room = sizeof(from);
	char text[SIZE] = "";

	for (int i = 0; i < DATAGRAMS; i++) {
		need(sendto(out, text, SIZE, 0, (struct sockaddr *)&to, size) == SIZE, "sendto");
		need(recvfrom(in, text, SIZE, 0, &from, &room) == SIZE, "recvfrom");
		room = sizeof(from);
	}
	need(!connected(out, family, SERVER), "connect");
	need(!connect(out, &nowhere, sizeof(nowhere)), "disconnect");
	close(in);
	close(out);
}

/*
 * The server's queue takes one connection; the first segment of the second one is dropped, and so
 * is its retransmission.
 */
static void crowd(int server)
{
	int first = socket(AF_INET, SOCK_STREAM, 0);
	int second = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);

	need(!listen(server, 0) && !connected(first, AF_INET, SERVER), "connect");
	need(connected(second, AF_INET, SERVER) && errno == EINPROGRESS, "a crowd");
	while (of_netstat("TcpExt:", "ListenDrops") < 2)
		usleep(1000);
	close(second);
	need(!close(accept(server, NULL, NULL)), "accept");
	close(first);
}

static void wait_for_acknowledgement(int server)
{
	int client = socket(AF_INET, SOCK_STREAM, 0), off = 0, peer;
	char c = 0;

	need(!connected(client, AF_INET, SERVER), "connect");
	need((peer = accept(server, NULL, NULL)) >= 0, "accept");
	need(!setsockopt(peer, IPPROTO_TCP, TCP_QUICKACK, &off, sizeof(off)), "setsockopt");
	need(send(client, &c, 1, 0) == 1, "send");
	while (of_netstat("TcpExt:", "DelayedACKs") < 1)
		usleep(1000);
	need(recv(peer, &c, 1, 0) == 1, "recv");
	close_both(peer, client);
}

static void show(void)
{
	static const char *const tcp[] = {
		"ActiveOpens", "PassiveOpens", "AttemptFails", "EstabResets", "CurrEstab",
		"InSegs", "OutSegs", "RetransSegs", "OutRsts",
	};
	static const char *const linuxes[] = { "DelayedACKs", "ListenOverflows", "ListenDrops" };

	for (size_t i = 0; i < sizeof(tcp) / sizeof(*tcp); i++)
		printf("kernel %s %ld\n", tcp[i], of_snmp("Tcp:", tcp[i]));
	for (size_t i = 0; i < sizeof(linuxes) / sizeof(*linuxes); i++)
		printf("kernel %s %ld\n", linuxes[i], of_netstat("TcpExt:", linuxes[i]));
}

int main(void)
{
	static const int families[] = { AF_INET, AF_INET6 };
	int server;

	own_network();
	for (int i = 0; i < 2; i++) {
		server = listening(families[i], 8);
		converse(server, families[i]);
		break_off(server, families[i]);
		refuse(families[i]);
		datagrams(families[i]);
		close(server);
	}
	server = listening(AF_INET, 8);
	wait_for_acknowledgement(server);
	crowd(server);
	close(server);
	show();
	return 0;
}
