/* SPDX-License-Identifier: GPL-2.0-or-later */
/* phases.c - the example of the same name, again and again until it is killed. */
#define main once
#include "../../examples/phases.c"
#undef main

int main(int argc, char **argv)
{
	while (!once(argc, argv))
		;
	return 1;
}
