#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# native.sh - the names of the native tests, a line each: the gate's, or all of them. testsuite/tests says which the gate leaves out.
# Usage: native.sh [--all]
cd "$(dirname "$0")/.." || exit 1
make -s print-tests | tr ' ' '\n' | awk -F '\t' -v all="${1:-}" '
	BEGIN { while ((getline line < "testsuite/tests") > 0) { split(line, field, "\t"); if (field[2] ~ /^all:/) left[field[1]] } }
	NF && (all != "" || !($1 in left))'
