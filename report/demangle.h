/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * demangle.h - names of C++ functions as people write them.
 */
#ifndef LAPWING_REPORT_DEMANGLE_H
#define LAPWING_REPORT_DEMANGLE_H

/*
 * "_ZN4list4pushEi" is "list::push(int)", and so are both in "A->B", between two symbols; what is no such name stays as it is. The caller
 * frees it.
 */
char *demangle_name(const char *name);

#endif
