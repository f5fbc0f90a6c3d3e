/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_profile.h - timer.profile: a hard hrtimer on every CPU that is there; the handler sees the
 * interrupted registers.
 */
#ifndef LAPWING_KERNEL_PROBES_FAMILY_PROFILE_H
#define LAPWING_KERNEL_PROBES_FAMILY_PROFILE_H

#include "runtime/kernel/session/session.h"

/* What became of the samples; after it has stopped. */
void profile_account(struct wire_summary *sum);

#endif
