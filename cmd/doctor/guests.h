/* SPDX-License-Identifier: GPL-2.0-or-later */
/* guests.h - findings about guests: their QEMU, what else they need, their kernels. */
#ifndef LAPWING_CMD_DOCTOR_GUESTS_H
#define LAPWING_CMD_DOCTOR_GUESTS_H

#include "cmd/doctor/doctor.h"

/*
 * Why no guest of an architecture, "x86_64" or "arm64", can run now; NULL: one can. Caller frees.
 */
char *guests_problem(const struct machine *m, const char *arch);
/* The releases of the guest kernels of an architecture that can be read here, sorted. */
GPtrArray *guests_here(const struct machine *m, const char *arch);

#endif
