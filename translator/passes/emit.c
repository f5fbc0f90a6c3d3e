/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * emit.c - pass emit: the annotated program as one C file, in prog->c_text.
 */
#include "translator/emit/emit.h"
#include "translator/emit/unit.h"
#include "translator/passes/pass.h"

void pass_emit(struct program *prog)
{
	prog->c_text = emit_unit(prog);
}
