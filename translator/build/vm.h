/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vm.h - questions to the guest harness, lapwing-vm.
 */
#ifndef LAPWING_VM_H
#define LAPWING_VM_H

/* The harness, in the tree or installed; NULL: not there. Caller frees. */
char *vm_program(void);
/* What `lapwing-vm path RELEASE WHAT` prints; fetches first when it must. NULL: it could not, its words are on stderr. Caller frees. */
char *vm_path(const char *release, const char *what);

#endif
