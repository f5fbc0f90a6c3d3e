/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters.h - for triggers that have a network of their own: reads the kernel's counters there,
 * and ends the program if a call fails.
 */
#ifndef COUNTERS_H
#define COUNTERS_H

#include <errno.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* Ends the program with status 2 if a call failed. */
static void need(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(2);
}

/* Makes a network namespace of its own, with a loopback device. */
static void own_network(void)
{
	struct ifreq lo = { .ifr_name = "lo" };
	int fd;

	need(!unshare(CLONE_NEWNET), "a network namespace");
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	need(!ioctl(fd, SIOCGIFFLAGS, &lo), "the loopback device");
	lo.ifr_flags |= IFF_UP;
	need(!ioctl(fd, SIOCSIFFLAGS, &lo), "the loopback device");
	close(fd);
}

/*
 * Reads a counter from a file whose lines come in pairs: "Tcp: NAME NAME", "Tcp: 1 2"; returns -1
 * if there is no such counter.
 */
static long counter(const char *path, const char *group, const char *name)
{
	char names[8192], values[8192];
	FILE *f = fopen(path, "r");
	long value = -1;

	need(f != NULL, path);
	while (fgets(names, sizeof(names), f) && fgets(values, sizeof(values), f)) {
		char *n, *v, *at_n, *at_v;

		for (n = strtok_r(names, " \n", &at_n), v = strtok_r(values, " \n", &at_v); n && v;
		     n = strtok_r(NULL, " \n", &at_n), v = strtok_r(NULL, " \n", &at_v)) {
			if (n == names && strcmp(n, group))
				break;
			if (!strcmp(n, name))
				value = atol(v);
		}
	}
	fclose(f);
	return value;
}

static long of_snmp(const char *group, const char *name)
{
	return counter("/proc/self/net/snmp", group, name);
}

static long of_netstat(const char *group, const char *name)
{
	return counter("/proc/self/net/netstat", group, name);
}

#endif
