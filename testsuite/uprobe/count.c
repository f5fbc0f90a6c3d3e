/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * count.c - counts an event of the kernel's, by its number in tracefs, in a command and all that it starts: count NUMBER FILE COMMAND...
 * The count is written to FILE; the exit status is the command's. As `perf stat` counts.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr), .inherit = 1 };
	unsigned long long count;
	int fd, status;
	FILE *f;

	if (argc < 4)
		return 126;
	attr.config = strtoull(argv[1], NULL, 10);
	fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0) {
		perror("count: perf_event_open");
		return 126;
	}
	if (!fork()) {
		execvp(argv[3], argv + 3);
		_exit(127);
	}
	if (wait(&status) < 0 || read(fd, &count, sizeof(count)) != sizeof(count))
		return 126;
	f = fopen(argv[2], "w");
	if (!f || fprintf(f, "%llu\n", count) < 0 || fclose(f))
		return 126;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}
