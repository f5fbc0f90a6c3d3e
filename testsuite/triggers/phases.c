/* SPDX-License-Identifier: GPL-2.0-or-later */
/* phases.c - the example of the same name is a trigger too. */
#include "../../examples/phases.c"
