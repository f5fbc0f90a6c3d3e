/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vm.h - queries of lapwing-vm, the guest harness.
 */
#ifndef LAPWING_VM_H
#define LAPWING_VM_H

/* The path of lapwing-vm, in the tree or installed; NULL: not there. Caller frees. */
char *vm_program(void);
/*
 * The output of `lapwing-vm path RELEASE WHAT`, which fetches the files if needed. NULL: it failed,
 * after a message on stderr. Caller frees.
 */
char *vm_path(const char *release, const char *what);
/* The same of `lapwing-vm list`: a line for each kernel that guests can have. */
char *vm_list(void);

#endif
