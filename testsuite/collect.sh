#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# collect.sh - prints the results of `make check` (automake's .trs files) as lines
# PASS|FAIL|SKIP name.
cd "$(dirname "$0")/.." || exit 1
find testsuite -name '*.trs' | sort | while read -r trs; do
	name=${trs%.trs}
	sed -n 's/^:test-result: //p' "$trs" | while read -r result rest; do
		case $result in
		PASS) echo "PASS $name $rest";;
		SKIP) echo "SKIP $name $rest";;
		*)    echo "FAIL $name $result $rest; its log ends:" "$(tail -5 "$name.log" |
			tr '\n' '|')";;
		esac
	done
done
