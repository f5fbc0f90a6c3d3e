/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * foreign.c - see foreign.h.
 */
#include "lib/foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define HOW (O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

/* Without /proc: reopens by path, if it is still the same file. */
static int open_same(const char *path, const struct stat *seen)
{
	int fd = open(path, HOW);
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_dev != seen->st_dev ||
			st.st_ino != seen->st_ino)) {
		close(fd);
		errno = EINVAL;
		fd = -1;
	}
	return fd;
}

/* O_PATH has no side effects: no pipe, device or lease is touched before the file type is known. */
int foreign_open(const char *path)
{
	int place = open(path, O_PATH | O_CLOEXEC), fd = -1, why;
	struct stat st;
	char link[32];

	if (place < 0)
		return -1;
	if (!fstat(place, &st) && S_ISREG(st.st_mode)) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", place);
		fd = open(link, HOW);
		if (fd < 0 && errno == ENOENT)
			fd = open_same(path, &st);
		why = errno;
	} else {
		why = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
	}
	close(place);
	errno = why;
	return fd;
}

/* ---- mappings ------------------------------------------------------------------*/

struct mapping {
	struct mapping	*next;
	char		*p;
	size_t		size;
	volatile sig_atomic_t cut;
};

static struct mapping *mappings;
static volatile sig_atomic_t cuts;	/* of any mapping, ever */
static struct sigaction before;		/* a script's shared object has its own copy of this file */

static struct mapping *find(const void *p)
{
	struct mapping *m = mappings;

	while (m && ((const char *)p < m->p || (size_t)((const char *)p - m->p) >= m->size))
		m = m->next;
	return m;
}

/*
 * The file was truncated, or cannot be read: maps zeros in place of the page, and the reader
 * continues.
 */
static void on_fault(int number, siginfo_t *info, void *context)
{
	uintptr_t page = (uintptr_t)info->si_addr & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
	struct mapping *m = info->si_code == BUS_ADRERR ? find(info->si_addr) : NULL;

	if (m && mmap((void *)page, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED)
		m->cut = cuts = 1;
	else if (before.sa_flags & SA_SIGINFO)
		before.sa_sigaction(number, info, context);
	else
		signal(SIGBUS, SIG_DFL);	/* the signal comes again at once, with its
						 * default action */
}

/*
 * The handler is installed while there are mappings: the shared object's copy is unloaded with it.
 */
static void guard(int on)
{
	const struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };

	sigaction(SIGBUS, on ? &action : &before, on ? &before : NULL);
}

void *foreign_map(int fd, int writable, size_t *size)
{
	struct mapping *m;
	struct stat st;
	void *p;

	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size <= 0 ||
	    (unsigned long long)st.st_size > FOREIGN_MAX)
		return NULL;
	m = malloc(sizeof(*m));
	/* The kernel puts uprobe breakpoints into private mappings. */
	p = m ? mmap(NULL, (size_t)st.st_size, writable ? PROT_READ | PROT_WRITE : PROT_READ,
		     writable ? MAP_PRIVATE : MAP_SHARED, fd, 0)
	      : MAP_FAILED;
	if (p == MAP_FAILED) {
		free(m);
		return NULL;
	}
	*m = (struct mapping){ .next = mappings, .p = p, .size = *size = (size_t)st.st_size };
	if (!mappings)
		guard(1);
	mappings = m;
	return p;
}

int foreign_cut(const void *p)
{
	const struct mapping *m = cuts ? find(p) : NULL;

	return m && m->cut;
}

void foreign_unmap(const void *p)
{
	struct mapping **link = &mappings, *m;

	while ((m = *link) && m->p != p)
		link = &m->next;
	if (!m)
		return;
	*link = m->next;
	munmap(m->p, m->size);
	free(m);
	if (!mappings)
		guard(0);
}
