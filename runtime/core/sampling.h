/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sampling.h - whether the probes that sample do: profile_on() and profile_off(). `lapwing ctl off` pauses all probes, and is elsewhere.
 */
#ifndef LAPWING_CORE_SAMPLING_H
#define LAPWING_CORE_SAMPLING_H

/* 1: samples are counted as off and go to no handler. Any CPU reads and writes it. */
extern int sampling_off;

#endif
