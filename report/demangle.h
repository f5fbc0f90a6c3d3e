/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * demangle.h - demangles C++ function names.
 */
#ifndef LAPWING_REPORT_DEMANGLE_H
#define LAPWING_REPORT_DEMANGLE_H

/*
 * "_ZN4list4pushEi" gives "list::push(int)"; both names of "A->B" (code between two symbols) are
 * demangled. Other names are copied. The caller frees the result.
 */
char *demangle_name(const char *name);

#endif
