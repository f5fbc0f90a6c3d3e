/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sampling.h - switches sampling probes: profile_on() and profile_off(). `lapwing ctl off` pauses
 * all probes, and is implemented elsewhere.
 */
#ifndef LAPWING_CORE_SAMPLING_H
#define LAPWING_CORE_SAMPLING_H

/* 1: samples are counted as off and not handled. Read and written on any CPU. */
extern int sampling_off;

#endif
