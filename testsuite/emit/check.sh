#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - compares generated C with golden files: NAME.stp here gives NAME.c. The golden files
# compile without warnings and have no conditionals, no goto, no __tmp; five lines of script give at
# most 100 lines. BLESS=1 rewrites the golden files.
cd "$(dirname "$0")" || exit 2
top=../..
failed=0
fail() { echo "FAIL $1"; failed=$((failed + 1)); }
flags="-std=gnu11 -O2 -fsyntax-only -Wall -Wextra -Wno-unused-parameter
	-Wno-missing-field-initializers -Wno-unused-but-set-variable"
for script in *.stp; do
	name=${script%.stp}
	$top/lapwing -p3 "$script" > "$name.new" 2> "$name.err" ||
		{ fail "$name: does not translate"; cat "$name.err"; }
	[ -z "${BLESS:-}" ] || cp "$name.new" "$name.c"
	diff -u "$name.c" "$name.new" || fail "$name: differs from the golden"
	${CC:-cc} $flags -Werror -I$top/runtime "$name.c" || fail "$name: does not compile cleanly"
	[ "$(wc -l < "$script")" -gt 5 ] || [ "$(wc -l < "$name.c")" -le 100 ] ||
		fail "$name: five lines of script give more than 100"
	rm -f "$name.new" "$name.err"
done
grep -nE '^#[[:space:]]*if|goto|__tmp' *.c && fail "words that generated C must not have"
[ -f reads.c ] || fail "no goldens"
[ $failed -eq 0 ]
