#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# native.sh - the native tests (TESTS of the makefile) that run somewhere (testsuite/tests), a line each.
# Usage: native.sh WHERE...     gate, beside, after, all; with --table: name, where and what it needs, between tabs
cd "$(dirname "$0")/.." || exit 1
make -s print-tests | tr ' ' '\n' | awk -F '\t' -v OFS='\t' -v wanted=" $* " '
	BEGIN {
		while ((getline line < "testsuite/tests") > 0)
			if (line !~ /^#/) { split(line, field, "\t"); where[field[1]] = field[2]; needs[field[1]] = field[3] }
	}
	NF {
		at = $1 in where ? where[$1] : $1 ~ "^testsuite/(unit|fuzz)/" ? "beside" : "gate"
		if (wanted ~ / --table /) print $1, at, $1 in needs ? needs[$1] : "-"
		else if (index(wanted, " " at " ")) print $1
	}'
