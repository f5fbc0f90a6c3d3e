/* SPDX-License-Identifier: GPL-2.0-or-later */
/* family_profile.h - statistics of timer.profile. */
#ifndef LAPWING_KERNEL_PROBES_FAMILY_PROFILE_H
#define LAPWING_KERNEL_PROBES_FAMILY_PROFILE_H

#include "runtime/core/core.h"

/* Sample counts; after it has stopped. */
void profile_account(struct wire_summary *sum);

#endif
