/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * link.h - what lapwing-vm's relay (host) and init (guest) say to each other.
 *
 * One virtio serial port carries frames: a header, then `size` bytes.  Numbers are little-endian, as both guest
 * architectures and this host are.  One stream for everything keeps the order: all output of a command and all kernel
 * messages it caused come before its status.
 *
 * Holds no code and knows nothing of how the port is reached.
 */
#ifndef LAPWING_VM_LINK_H
#define LAPWING_VM_LINK_H

#include <stdint.h>

/* Name of the port, as QEMU is told and as sysfs shows it in the guest. */
#define LINK_PORT	"lapwing"

/* Longest payload from the guest, and of the host's LINK_RUN.  (LINK_MAX is a name of limits.h.) */
#define LINK_PAYLOAD_MAX	32768u
#define LINK_RUN_MAX	(1u << 20)

struct link_frame {
	uint32_t kind;		/* enum link_kind */
	uint32_t size;		/* bytes that follow */
};

enum link_kind {
	LINK_RUN = 1,		/* to the guest: working directory, arguments, each NUL-terminated; one at a time */
	LINK_SIGNAL,		/* to the guest: uint32_t signal number; SIGTERM to the command, others to its group */
	LINK_READY,		/* to the host: the guest takes commands now */
	LINK_OUT,		/* to the host: bytes of stdout */
	LINK_ERR,		/* to the host: bytes of stderr */
	LINK_LOG,		/* to the host: lines of the kernel log */
	LINK_MORE,		/* to the host: bytes that the command wrote to its descriptor 3 */
	LINK_STATUS,		/* to the host: uint32_t exit status, 128+N after signal N; the command is over */
};

#endif
