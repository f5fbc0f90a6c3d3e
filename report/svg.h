/* SPDX-License-Identifier: GPL-2.0-or-later */
/* svg.h - pieces of the pictures that programs write. */
#ifndef LAPWING_REPORT_SVG_H
#define LAPWING_REPORT_SVG_H

#include <glib.h>

/* Appends text, with what XML gives a meaning escaped. */
void svg_escape(GString *out, const char *text);
/* Appends an attribute: ` x="1.25"`, in any locale. */
void svg_number(GString *out, const char *name, double value);
/* A file of that name is to be HTML. */
int svg_is_html(const char *name);
/* 0, or -1 after option_fail(): the name has another ending than .svg, .html and .htm; none is fine. */
int svg_check_name(const char *name, const char *what);

#endif
