/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mend.h - mends that several findings have in common. */
#ifndef LAPWING_CMD_DOCTOR_MEND_H
#define LAPWING_CMD_DOCTOR_MEND_H

#include "cmd/doctor/doctor.h"

/* The way to get the rights that are missing. Caller frees. */
char *mend_rights(const struct machine *m);
/* The way to get a kernel with an option: a guest if guests run here. Caller frees. */
char *mend_kernel(const struct machine *m, const char *option);

#endif
