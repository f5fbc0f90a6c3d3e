/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mib.c - TCP and IP over the loopback device such that each counter of tapsets/mib.stp grows: connections that succeed, are refused,
 * reset, dropped, kept, and lose segments; packets that are wrong, forwarded, fragmented, or nobody's. Needs what last/mib.guest
 * sets up.
 *
 *   mib FILE       writes into FILE "NAME N" for each counter: how much the kernel's own (/proc/net/snmp, /proc/net/netstat) has grown
 *                  until the last call of getpgid(): nothing has grown around it
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "must.h"

/* ---- what the kernel counts ------------------------------------------------------*/

/* A counter by the name of its line and of its column; 0: the kernel does not have it. */
static long counter_in(const char *file, const char *line, const char *name)
{
	static char names[8192], values[8192];
	FILE *f = fopen(file, "r");
	long found = 0;

	must(f != NULL, file);
	while (fgets(names, sizeof(names), f) && fgets(values, sizeof(values), f)) {
		char *name_rest, *value_rest, *one = strtok_r(names, " \n", &name_rest), *value = strtok_r(values, " \n", &value_rest);

		if (strcmp(one, line))
			continue;
		while (one && value && strcmp(one, name)) {
			one = strtok_r(NULL, " \n", &name_rest);
			value = strtok_r(NULL, " \n", &value_rest);
		}
		found = one && value ? atol(value) : 0;
	}
	fclose(f);
	return found;
}

static long counter(const char *line, const char *name)
{
	return counter_in(strstr(line, "Ext") ? "/proc/net/netstat" : "/proc/net/snmp", line, name);
}

static const struct { const char *line, *name; } counters[] = {
	{ "Tcp:", "ActiveOpens" }, { "Tcp:", "AttemptFails" }, { "Tcp:", "CurrEstab" }, { "Tcp:", "EstabResets" }, { "Tcp:", "InSegs" },
	{ "Tcp:", "OutRsts" }, { "Tcp:", "OutSegs" }, { "Tcp:", "PassiveOpens" }, { "Tcp:", "RetransSegs" },
	{ "Ip:", "InReceives" }, { "IpExt:", "InNoRoutes" }, { "Ip:", "InAddrErrors" }, { "Ip:", "InUnknownProtos" }, { "Ip:", "InDiscards" },
	{ "Ip:", "ForwDatagrams" }, { "Ip:", "OutRequests" }, { "Ip:", "ReasmTimeout" }, { "Ip:", "ReasmReqds" }, { "Ip:", "FragOKs" },
	{ "Ip:", "FragFails" }, { "TcpExt:", "DelayedACKs" }, { "TcpExt:", "ListenOverflows" }, { "TcpExt:", "ListenDrops" },
	{ "TcpExt:", "TCPMemoryPressures" }, { "Ip:", "InHdrErrors" }, { "IpExt:", "InTruncatedPkts" }, { "Ip:", "OutTransmits" },
};
enum { COUNTERS = sizeof(counters) / sizeof(counters[0]), OWN = 24, HEADER_ERRORS = OWN, TRUNCATED, TRANSMITS };
enum { DISCARDS = 13, FORWARDED, REQUESTS, TOO_LARGE = 19 };

static void read_all(long *values)
{
	for (int i = 0; i < COUNTERS; i++)
		values[i] = counter(counters[i].line, counters[i].name);
}

/* Until a counter has grown by n. */
static void grows(const char *line, const char *name, long from, long n)
{
	while (counter(line, name) < from + n)
		usleep(1000);
}

/* ---- TCP -------------------------------------------------------------------------*/

struct pair { int client, server; };

static struct sockaddr_in local(int port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons((unsigned short)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

static int tcp_socket(int flags)
{
	int fd = socket(AF_INET, SOCK_STREAM | flags, 0);

	must(fd >= 0, "socket");
	return fd;
}

static int listener(int port, int backlog)
{
	struct sockaddr_in at = local(port);
	int fd = tcp_socket(0), one = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	must(!bind(fd, (void *)&at, sizeof(at)) && !listen(fd, backlog), "listen");
	return fd;
}

static struct pair connected(int listening, int port)
{
	struct sockaddr_in at = local(port);
	struct pair p = { .client = tcp_socket(0) };

	must(!connect(p.client, (void *)&at, sizeof(at)), "connect");
	p.server = accept(listening, NULL, NULL);
	must(p.server >= 0, "accept");
	return p;
}

static void send_one(int from, int to)
{
	char c = 'x';

	must(write(from, &c, 1) == 1 && read(to, &c, 1) == 1, "a byte");
}

/* Both ends: the first has ended when the second sees it. */
static void end(struct pair p)
{
	char c;

	close(p.client);
	must(!read(p.server, &c, 1), "the end");
	close(p.server);
}

static void reset(struct pair p)
{
	struct linger now = { 1, 0 };
	char c;

	setsockopt(p.client, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	close(p.client);
	while (read(p.server, &c, 1) >= 0)
		;
	close(p.server);
}

static void refused(int port)
{
	struct sockaddr_in at = local(port);
	int fd = tcp_socket(0);

	must(connect(fd, (void *)&at, sizeof(at)) < 0, "connect to nobody");
	close(fd);
}

/* The server's segments are dropped until two were sent again. */
static void lossy(struct pair p)
{
	struct sock_filter nothing = { BPF_RET | BPF_K, 0, 0, 0 };
	struct sock_fprog filter = { 1, &nothing };
	long before = counter("Tcp:", "RetransSegs");
	char c = 'x';

	must(!setsockopt(p.server, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof(filter)), "filter");
	must(write(p.client, &c, 1) == 1, "a byte");
	grows("Tcp:", "RetransSegs", before, 2);
	setsockopt(p.server, SOL_SOCKET, SO_DETACH_FILTER, &filter, sizeof(filter));
	must(read(p.server, &c, 1) == 1, "a byte that was lost");
}

/* Acknowledgements that wait for an answer to go with. */
static void delayed(struct pair p, int n)
{
	long before = counter("TcpExt:", "DelayedACKs");

	for (int i = 0, no = 0; i < n; i++) {
		setsockopt(p.server, IPPROTO_TCP, TCP_QUICKACK, &no, sizeof(no));
		send_one(p.client, p.server);
		grows("TcpExt:", "DelayedACKs", before, i + 1);
	}
}

/* One connection waits to be accepted, others are not even answered. */
static void crowd(int n)
{
	struct sockaddr_in at = local(7703);
	int full = listener(7703, 0), waits = tcp_socket(0), fd;
	long before = counter("TcpExt:", "ListenDrops");
	char c;

	must(!connect(waits, (void *)&at, sizeof(at)), "connect");
	for (int i = 0; i < n; i++) {
		fd = tcp_socket(SOCK_NONBLOCK);
		must(connect(fd, (void *)&at, sizeof(at)) < 0, "connect to the crowd");
		grows("TcpExt:", "ListenDrops", before, i + 1);
		close(fd);
	}
	close(full);
	must(read(waits, &c, 1) < 0, "nobody accepted");
	close(waits);
}

/* More than sysctl_tcp_mem allows, which is written back. */
static void pressed(struct pair p)
{
	static char bytes[65536], limits[100];
	int room = 16 << 20;
	FILE *f = fopen("/proc/sys/net/ipv4/tcp_mem", "r+");
	long before = counter("TcpExt:", "TCPMemoryPressures");

	must(f && fgets(limits, sizeof(limits), f), "tcp_mem");
	must(!setsockopt(p.client, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room)), "room");
	rewind(f);
	fputs("1 2 1000000\n", f);
	fflush(f);
	while (counter("TcpExt:", "TCPMemoryPressures") == before && send(p.client, bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
		;
	rewind(f);
	fputs(limits, f);
	fclose(f);
	must(counter("TcpExt:", "TCPMemoryPressures") > before, "no memory pressure");
}

/* ---- IP --------------------------------------------------------------------------*/

enum { UNKNOWN = 253, DONT_FRAGMENT = 0x4000, MORE_FRAGMENTS = 0x2000 };

static unsigned short ip_checksum(const void *header)
{
	const unsigned short *at = header;
	unsigned sum = 0;

	for (int i = 0; i < 10; i++)
		sum += at[i];
	sum = (sum & 0xffff) + (sum >> 16);
	return (unsigned short)~(sum + (sum >> 16));
}

/* n packets that come in at lo, from 192.0.2.1, which is this machine. */
static void inject(int n, const char *to, int size, int fragment, int claims, int wrong)
{
	static unsigned char packet[1500];
	struct iphdr *ip = (void *)packet;
	struct sockaddr_ll at = { .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_IP), .sll_halen = 6 };
	int fd = socket(AF_PACKET, SOCK_DGRAM, htons(ETH_P_IP));

	must(fd >= 0, "packet socket");
	at.sll_ifindex = (int)if_nametoindex("lo");
	for (int i = 0; i < n; i++) {
		*ip = (struct iphdr){ .version = 4, .ihl = 5, .tot_len = htons((unsigned short)claims), .id = htons((unsigned short)(i + 1)),
			.frag_off = htons((unsigned short)fragment), .ttl = 2, .protocol = UNKNOWN,
			.saddr = inet_addr("192.0.2.1"), .daddr = inet_addr(to) };
		ip->check = (unsigned short)(ip_checksum(ip) + wrong);
		must(sendto(fd, packet, (size_t)size, 0, (void *)&at, sizeof(at)) == size, "sendto");
	}
	close(fd);
}

static void forwarding(int on)
{
	FILE *f = fopen("/proc/sys/net/ipv4/conf/lo/forwarding", "w");

	must(f && fprintf(f, "%d\n", on) > 0 && !fclose(f), "forwarding");
}

static void datagrams(int n, int size)
{
	static char bytes[4000];
	struct sockaddr_in at = local(7704);
	int to = socket(AF_INET, SOCK_DGRAM, 0), from = socket(AF_INET, SOCK_DGRAM, 0);

	must(!bind(to, (void *)&at, sizeof(at)) && !connect(from, (void *)&at, sizeof(at)), "udp");
	while (n--)
		must(send(from, bytes, (size_t)size, 0) == size && recv(to, bytes, sizeof(bytes), 0) == size, "a datagram");
	close(to);
	close(from);
}

static void ip_packets(void)
{
	long before = counter("Ip:", "ReasmTimeout");

	inject(3, "192.0.2.1", 40, 0, 40, 0);				/* of a protocol that is unknown */
	inject(4, "192.0.2.1", 40, 0, 40, 1);				/* with a checksum that is wrong */
	inject(2, "192.0.2.1", 40, 0, 80, 0);				/* with half of its bytes */
	inject(3, "10.1.1.1", 40, 0, 40, 0);				/* for somebody else */
	forwarding(1);
	inject(2, "10.1.1.1", 40, 0, 40, 0);				/* of whom nobody knows where he is */
	inject(5, "10.9.9.9", 40, 0, 40, 0);				/* for somebody behind lo */
	inject(3, "10.9.9.8", 1400, DONT_FRAGMENT, 1400, 0);		/* where it is too narrow */
	forwarding(0);
	datagrams(4, 3000);						/* in three fragments each */
	inject(2, "192.0.2.1", 44, MORE_FRAGMENTS, 44, 0);		/* whose rest never comes */
	grows("Ip:", "ReasmTimeout", before, 2);
}

int main(int argc, char **argv)
{
	static long before[COUNTERS], after[COUNTERS], again[COUNTERS];
	struct pair p, kept, half;
	FILE *truth = fopen(argc > 1 ? argv[1] : "/dev/null", "w");
	cpu_set_t one;
	int listening = listener(7701, 10);

	must(truth != NULL, "where to say so");
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	read_all(before);
	for (int i = 0; i < 5; i++) {
		p = connected(listening, 7701);
		send_one(p.client, p.server);
		send_one(p.server, p.client);
		end(p);
	}
	for (int i = 0; i < 3; i++)
		refused(7702);
	for (int i = 0; i < 2; i++)
		reset(connected(listening, 7701));
	crowd(3);
	p = connected(listening, 7701);
	lossy(p);
	delayed(p, 3);
	pressed(p);
	reset(p);
	ip_packets();
	kept = connected(listening, 7701);
	half = connected(listening, 7701);
	shutdown(half.client, SHUT_WR);
	must(!read(half.server, &(char){ 0 }, 1), "half of the end");
	do {
		read_all(after);
		getpgid(0);
		read_all(again);
	} while (memcmp(after, again, sizeof(after)));
	for (int i = 0; i < COUNTERS; i++)
		after[i] -= before[i];
	/* Since Linux 6.7 what is forwarded is no request, and is counted before it is known to be too large. */
	if (after[TRANSMITS])
		after[FORWARDED] -= after[TOO_LARGE];
	else
		after[REQUESTS] -= after[FORWARDED];
	/* A packet that is forwarded to lo comes again, and has no time left. */
	after[DISCARDS] += after[HEADER_ERRORS] + after[TRUNCATED] - after[FORWARDED];
	for (int i = 0; i < OWN; i++)
		fprintf(truth, "%s %ld\n", counters[i].name, after[i]);
	(void)kept;
	return fclose(truth) != 0;
}
