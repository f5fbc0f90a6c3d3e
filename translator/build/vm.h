/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vm.h - questions to the guest harness, lapwing-vm.
 */
#ifndef LAPWING_VM_H
#define LAPWING_VM_H

/* The harness, in the tree or installed; NULL: not there. Caller frees. */
char *vm_program(void);
/*
 * The output of `lapwing-vm path RELEASE WHAT`, which fetches the files if needed. NULL: it failed
 * and printed why on stderr. Caller frees.
 */
char *vm_path(const char *release, const char *what);

#endif
