/* SPDX-License-Identifier: GPL-2.0-or-later */
/* global.h - globals: key structs, descriptors, storage. */
#ifndef LAPWING_EMIT_GLOBAL_H
#define LAPWING_EMIT_GLOBAL_H

#include "translator/emit/emit.h"

void emit_globals(struct emitter *e);

#endif
