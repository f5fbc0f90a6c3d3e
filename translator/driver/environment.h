/* SPDX-License-Identifier: GPL-2.0-or-later */
/* environment.h - what SystemTap takes of its environment: options of a file, folders, a runtime. */
#ifndef LAPWING_DRIVER_ENVIRONMENT_H
#define LAPWING_DRIVER_ENVIRONMENT_H

#include "lib/option.h"
#include "translator/program/options.h"

/*
 * argv with the options of $SYSTEMTAP_DIR/rc (~/.systemtap/rc) behind its first word; argv itself,
 * where there is no such file, or others than its reader and root can write it, which is said. Never
 * freed. NULL: a line of it cannot be split into words; that is said. *program gets the origins of
 * its words.
 */
char **environment_arguments(int *argc, char **argv, struct option_program *program);
/* $SYSTEMTAP_TAPSET is a folder behind those of -I; $SYSTEMTAP_RUNTIME is ignored, which is said. */
void environment_folders(struct options *opt);

#endif
