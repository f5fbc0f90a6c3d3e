#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check-lines.sh - source lines and inlined calls as static programs read them are those that libdw reads, by version of DWARF and compiler.
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
sources="testsuite/unit/lines_driver.c runtime/core/caller.c runtime/core/symbol.c runtime/core/fmt.c
	lib/foreign.c lib/procstat.c lib/ksyms.c
	$(ls symbolize/*.c | grep -v '/lines\|/debug[._]\|/xz\.c')"
flags="-std=gnu11 -D_GNU_SOURCE -O1 -g -I."
${CC:-cc} $flags -fsanitize=address -o "$work/own" $sources symbolize/lines_own.c symbolize/debug.c symbolize/debug_line.c &&
	${CC:-cc} $flags -o "$work/libdw" $sources symbolize/lines.c -ldl || exit 2
failed=0 absent=
for compiler in gcc 'gcc -flto' clang; do
	command -v "${compiler%% *}" > /dev/null || { absent="$absent ${compiler%% *}"; continue; }
	for version in 2 3 4 5; do
		$compiler -O2 -gdwarf-$version -pthread -o "$work/program" testsuite/report/load.c || exit 2
		"$work/own" "$work/program" > "$work/found" && "$work/libdw" "$work/program" > "$work/expected" &&
			grep -q 'load\.c:[1-9]' "$work/found" && grep -q ' at .*load\.c:[1-9]' "$work/found" && diff "$work/expected" "$work/found"
		if [ $? -eq 0 ]; then echo "PASS lines: $compiler, DWARF $version"; else echo "FAIL lines: $compiler, DWARF $version"; failed=1; fi
	done
done
# Whatever the bytes say, it ends, and touches nothing that is not its own.
size=$(stat -c %s "$work/program") at=64
while [ $at -lt "$size" ]; do
	cp "$work/program" "$work/bad"
	printf '\377\177\0\200' | dd of="$work/bad" bs=1 seek=$at conv=notrunc status=none
	(ulimit -t 60; exec "$work/own" "$work/bad") > /dev/null 2> "$work/err"
	if [ $? -gt 1 ] || grep -q Sanitizer "$work/err"; then echo "FAIL lines: bytes changed at $at"; head -20 "$work/err"; failed=1; fi
	at=$((at + size / 97))
done
[ $failed -eq 0 ] || exit 1
[ -z "$absent" ] || { echo "SKIP lines: there is no$absent"; exit 77; }
