/* SPDX-License-Identifier: GPL-2.0-or-later */
/* embedded.h - headers that embedded C in scripts for the user runtime may rely on. */
#ifndef LAPWING_EMBEDDED_H
#define LAPWING_EMBEDDED_H

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "../embed.h"

#endif
