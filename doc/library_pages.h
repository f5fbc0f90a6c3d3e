/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * library_pages.h - manual pages of section 3.
 */
#ifndef LAPWING_DOC_LIBRARY_PAGES_H
#define LAPWING_DOC_LIBRARY_PAGES_H

struct library_text;

/* Writes all pages into dir; returns 1 if one could not be written, after a message. */
int library_pages(const struct library_text *lib, const char *dir);

#endif
