#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# collect.sh - what `make check` left behind of native tests (automake's .trs files), as lines
# PASS|FAIL|SKIP name.
# Usage: collect.sh NAME...
cd "$(dirname "$0")/.." || exit 1
for name; do
	[ -e "$name.trs" ] || { echo "FAIL $name did not run"; continue; }
	sed -n 's/^:test-result: //p' "$name.trs" | while read -r result rest; do
		case $result in
		PASS | SKIP) echo "$result $name $rest";;
		*) echo "FAIL $name $result $rest; see $name.log";;
		esac
	done
done
