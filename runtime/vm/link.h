/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * link.h - the protocol between lapwing-vm's relay (host) and init (guest).
 *
 * One virtio serial port carries frames: a header, then `size` bytes. Numbers are little-endian, as
 * on all supported guests and hosts. A single stream keeps the order: all output of a command and
 * all kernel messages caused by it come before its status.
 *
 * Contains no code and does not depend on how the port is reached.
 */
#ifndef LAPWING_VM_LINK_H
#define LAPWING_VM_LINK_H

#include <stdint.h>

/* Name of the port, as given to QEMU and shown in sysfs in the guest. */
#define LINK_PORT	"lapwing"

/* Longest payload from the guest, and of the host's LINK_RUN.  (LINK_MAX is a name of limits.h.) */
#define LINK_PAYLOAD_MAX	32768u
#define LINK_RUN_MAX	(1u << 20)

struct link_frame {
	uint32_t kind;		/* enum link_kind */
	uint32_t size;		/* bytes that follow */
};

enum link_kind {
	/* to the guest: working directory, arguments, each NUL-terminated; one at a time */
	LINK_RUN = 1,
	/* to the guest: uint32_t signal number; SIGTERM to the command, others to its group */
	LINK_SIGNAL,
	LINK_READY,		/* to the host: the guest takes commands now */
	LINK_OUT,		/* to the host: bytes of stdout */
	LINK_ERR,		/* to the host: bytes of stderr */
	LINK_LOG,		/* to the host: lines of the kernel log */
	LINK_MORE,		/* to the host: bytes that the command wrote to its descriptor 3 */
	/* to the host: uint32_t exit status, 128+N after signal N; the command is over */
	LINK_STATUS,
};

#endif
