#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# field.sh - prints a field of a .meta file: the text after "FIELD:" and the following lines that
# begin with a blank, without leading blanks.
# Usage: field.sh META FIELD
awk -v field="$2:" '
	/^[^ \t]/ { inside = index($0, field) == 1 }
	inside && /^[^ \t]/ { $0 = substr($0, length(field) + 1) }
	inside { sub(/^[ \t]+/, ""); if ($0 != "") print }' "$1"
