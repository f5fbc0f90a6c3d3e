/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sampling.h - whether the probes that sample do: profile_on(), profile_off() and `lapwing ctl`.
 */
#ifndef LAPWING_CORE_SAMPLING_H
#define LAPWING_CORE_SAMPLING_H

/* 1: samples are counted as off and go to no handler. Any CPU reads and writes it. */
extern int sampling_off;
/* WIRE_SAMPLING; 0, or -ENOENT: the script has no probe that samples. */
int sampling_switch(int on);

#endif
