/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * copies.c - kernel functions of which compilers make copies: looks 60 times for a file that is not there, in a folder of a folder; puts
 * one file into a set that waits for files, and that set into another one, 4 times in all.
 */
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
	struct epoll_event event = { .events = EPOLLIN };
	struct stat s;
	int sets[4], ends[2], failed = 0;

	mkdir("d1", 0700);
	mkdir("d1/d2", 0700);
	for (int i = 0; i < 60; i++)
		failed += stat("d1/d2/none", &s) != -1;
	failed += pipe(ends);
	for (int i = 0; i < 4; i++) {
		sets[i] = epoll_create1(0);
		failed += epoll_ctl(sets[i], EPOLL_CTL_ADD, i ? sets[i - 1] : ends[0], &event);
	}
	return failed;
}
