/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernels.h - the kernels that guests can run.
 */
#ifndef LAPWING_DOCTOR_KERNELS_H
#define LAPWING_DOCTOR_KERNELS_H

/*
 * Prints the kernels that guests can run. 0, or 1 when the package archive cannot be reached: then
 * those of the cache.
 */
int kernels_list(int json);

#endif
