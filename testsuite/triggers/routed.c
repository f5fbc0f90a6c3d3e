// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * routed.c - has IPv4 packets fragmented, reassembled, forwarded and rejected in a network
 * namespace of its own, each a known number of times, and prints what the kernel counted there. It
 * also changes the device: the MTU, the hardware address, and flags four times.
 *
 * Output: "kernel NAME N" for the counters of /proc/self/net/snmp and netstat. Exit status: 0; 2 if
 * there is no network, or another call failed, which stderr names.
 */
#define _GNU_SOURCE
#include "counters.h"

#include <fcntl.h>
#include <linux/if_packet.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <netinet/ip.h>

enum { MTU = 1500, ROUTE_MTU = 600, SERVER = 4711 };
enum { HERE = 0x7f000001, THERE = 0x0a010203, PEER = 0x0a090909, NOWHERE = 0x0b010203 };

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	need(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text), path);
	close(fd);
}

static void set_mtu(void)
{
	struct ifreq lo = { .ifr_name = "lo", .ifr_mtu = MTU };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	need(!ioctl(fd, SIOCSIFMTU, &lo), "the loopback device");
	close(fd);
}

static void set_flags(int fd, struct ifreq *lo, int more, int fewer)
{
	need(!ioctl(fd, SIOCGIFFLAGS, lo), "the loopback device");
	lo->ifr_flags = (short)((lo->ifr_flags | more) & ~fewer);
	need(!ioctl(fd, SIOCSIFFLAGS, lo), "the loopback device");
}

/* Changes the device's hardware address, and the flags that select received packets. */
static void change_device(void)
{
	struct ifreq lo = { .ifr_name = "lo" };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	need(!ioctl(fd, SIOCGIFHWADDR, &lo), "the loopback device");
	memcpy(lo.ifr_hwaddr.sa_data, "\2\0\0\0\0\7", 6);
	need(!ioctl(fd, SIOCSIFHWADDR, &lo), "its address");
	set_flags(fd, &lo, IFF_PROMISC, 0);
	set_flags(fd, &lo, IFF_ALLMULTI, IFF_PROMISC);
	set_flags(fd, &lo, 0, IFF_ALLMULTI);
	close(fd);
}

/* Appends an attribute of 4 bytes to a netlink message. */
static struct rtattr *add_u32(struct nlmsghdr *h, unsigned short type, unsigned value)
{
	struct rtattr *a = (struct rtattr *)((char *)h + NLMSG_ALIGN(h->nlmsg_len));

	*a = (struct rtattr){ RTA_LENGTH(sizeof(value)), type };
	memcpy(RTA_DATA(a), &value, sizeof(value));
	h->nlmsg_len = NLMSG_ALIGN(h->nlmsg_len) + RTA_LENGTH(sizeof(value));
	return a;
}

/* Routes 10.0.0.0/8 to the loopback device, which returns what is sent there. */
static void add_route(void)
{
	struct {
		struct nlmsghdr h;
		struct rtmsg	r;
		char		attributes[128];
	} m = {
		{ NLMSG_LENGTH(sizeof(struct rtmsg)), RTM_NEWROUTE,
		  NLM_F_REQUEST | NLM_F_CREATE, 0, 0 },
		{ .rtm_family = AF_INET, .rtm_dst_len = 8, .rtm_table = RT_TABLE_MAIN,
		  .rtm_protocol = RTPROT_STATIC, .rtm_scope = RT_SCOPE_LINK,
		  .rtm_type = RTN_UNICAST },
		"",
	};
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
	struct rtattr *metrics;

	add_u32(&m.h, RTA_DST, htonl(0x0a000000));
	add_u32(&m.h, RTA_OIF, if_nametoindex("lo"));
	metrics = add_u32(&m.h, RTA_METRICS, 0);	/* the next one is nested in it */
	m.h.nlmsg_len -= 4;
	add_u32(&m.h, RTAX_MTU, ROUTE_MTU);
	metrics->rta_len = RTA_LENGTH(RTA_LENGTH(4));
	need(fd >= 0 && send(fd, &m, m.h.nlmsg_len, 0) == (ssize_t)m.h.nlmsg_len, "a route");
	close(fd);
}

static unsigned short checksum(const void *data, size_t n)
{
	const unsigned char *at = data;
	unsigned sum = 0;

	for (size_t i = 0; i + 1 < n; i += 2)
		sum += (unsigned)at[i] << 8 | at[i + 1];
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return htons((unsigned short)~sum);
}

struct packet {
	struct iphdr	ip;
	char		rest[MTU - sizeof(struct iphdr)];
};

static struct packet packet(unsigned from, unsigned to, size_t size)
{
	struct packet p = { .ip = {
		.version = 4, .ihl = 5, .tot_len = htons((unsigned short)size), .id = htons(7),
		.ttl = 2, .protocol = IPPROTO_UDP, .saddr = htonl(from), .daddr = htonl(to),
	} };

	return p;
}

/* Sends a packet as if it came from a wire: no route is known for it yet. */
static void arrive(struct packet *p)
{
	struct sockaddr_ll to = {
		.sll_family = AF_PACKET, .sll_protocol = htons(0x800), .sll_halen = 6,
		.sll_ifindex = (int)if_nametoindex("lo"),
	};
	int fd = socket(AF_PACKET, SOCK_DGRAM, 0);

	p->ip.check = checksum(&p->ip, sizeof(p->ip));
	need(fd >= 0 &&
	     sendto(fd, p, ntohs(p->ip.tot_len), 0, (struct sockaddr *)&to, sizeof(to)) > 0,
	     "a packet");
	close(fd);
}

/* A datagram that is sent in three fragments and reassembled. */
static void cut_up(void)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET, .sin_port = htons(SERVER), .sin_addr.s_addr = htonl(HERE),
	};
	static char text[4000];
	int in = socket(AF_INET, SOCK_DGRAM, 0), out = socket(AF_INET, SOCK_DGRAM, 0);

	need(!bind(in, (struct sockaddr *)&to, sizeof(to)), "bind");
	need(sendto(out, text, sizeof(text), 0, (struct sockaddr *)&to, sizeof(to)) == sizeof(text),
	     "sendto");
	need(recv(in, text, sizeof(text), 0) == sizeof(text), "recv");
	close(in);
	close(out);
}

/* The first fragment of a packet whose others never arrive. */
static void leave_alone(void)
{
	struct packet p = packet(PEER, HERE, sizeof(struct iphdr) + 80);

	put("/proc/sys/net/ipv4/ipfrag_time", "1");
	put("/proc/sys/net/ipv4/conf/lo/route_localnet", "1");
	p.ip.frag_off = htons(IP_MF);
	arrive(&p);
	while (of_snmp("Ip:", "ReasmTimeout") < 1)
		usleep(1000);
}

static void carry_unknown(void)
{
	struct packet p = packet(PEER, HERE, 100);

	p.ip.protocol = 253;
	arrive(&p);
}

static void stray(unsigned to)
{
	struct packet p = packet(PEER, to, 100);

	arrive(&p);
}

static void forward(size_t size)
{
	struct packet p = packet(PEER, THERE, size);

	p.ip.frag_off = htons(IP_DF);
	arrive(&p);
}

int main(void)
{
	static const char *const names[] = {
		"InReceives", "InAddrErrors", "ForwDatagrams", "InUnknownProtos", "OutRequests",
		"ReasmTimeout", "ReasmReqds", "FragOKs", "FragFails", "InDiscards",
	};

	own_network();
	set_mtu();
	cut_up();
	leave_alone();
	carry_unknown();
	stray(NOWHERE);
	put("/proc/sys/net/ipv4/ip_forward", "1");
	stray(NOWHERE);
	stray(NOWHERE);
	add_route();
	forward(100);
	forward(ROUTE_MTU + 1);
	change_device();
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		printf("kernel %s %ld\n", names[i], of_snmp("Ip:", names[i]));
	printf("kernel InNoRoutes %ld\n", of_netstat("IpExt:", "InNoRoutes"));
	return 0;
}
