/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernels.h - the kernels that guests can have. */
#ifndef LAPWING_DOCTOR_KERNELS_H
#define LAPWING_DOCTOR_KERNELS_H

#include "lib/data.h"

/*
 * Prints the kernels that the archive has and those in the cache; asks the archive, which takes
 * seconds. Returns the exit status; lapwing-vm reports errors.
 */
int kernels_show(enum data_form form);

#endif
