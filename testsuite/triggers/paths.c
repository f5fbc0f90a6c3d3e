/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paths.c - open files with known names: for each of 12, calls fcntl(fd, F_GETFD, name) with the
 * name that /proc/self/fd displays. There are files in a directory, on another mount, removed ones,
 * and descriptors that are in no directory. Runs as root; mounts in a namespace of its own. Prints
 * nothing; fails if a file cannot be opened.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static int tell(int fd)
{
	char link[40], name[300] = "";

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	return readlink(link, name, sizeof(name) - 1) < 0 || fcntl(fd, F_GETFD, name) < 0;
}

int main(void)
{
	int ends[2], failed;

	if (unshare(CLONE_NEWNS) || mkdir("names", 0700) ||
	    mount("none", "names", "tmpfs", 0, "") || mkdir("names/a b", 0700) || pipe(ends))
		return 1;
	failed = tell(open("names/a b/file", O_RDWR | O_CREAT, 0600)) +
		 tell(open("names", O_RDONLY)) + tell(open("/", O_RDONLY)) +
		 tell(open("/proc/self/status", O_RDONLY)) + tell(open("/dev/null", O_RDONLY)) +
		 tell(ends[0]) + tell(eventfd(0, 0)) + tell(socket(AF_UNIX, SOCK_STREAM, 0)) +
		 tell(memfd_create("memory", 0)) + tell(open("/proc/self/ns/mnt", O_RDONLY));
	failed += tell(open("plain", O_RDWR | O_CREAT, 0600));
	int gone = open("names/gone", O_RDWR | O_CREAT, 0600);

	return unlink("names/gone") || tell(gone) || failed;
}
