/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kconfig.h - the target kernel's build configuration.
 */
#ifndef LAPWING_KCONFIG_H
#define LAPWING_KCONFIG_H

#include "translator/program/program.h"

/* The value of CONFIG_... as written in the text of a .config, or NULL: not set. Caller frees. */
char *kconfig_find(const char *config, const char *name);
/*
 * The value of CONFIG_... as written in .config, or NULL: not set. For parse_env; data is the
 * program. Caller frees.
 */
char *kconfig_value(const char *name, void *data);

#endif
