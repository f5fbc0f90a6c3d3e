#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - the parse tests. Input: ok/NAME.stp: what is printed parses again and prints the same; with NAME.out it
# prints just that; NAME.args: script arguments. bad/CODE.what.stp with .err (the whole message), .args too.
# Output: one line per case that differs, with the diff; exit 1 then. --bless records the messages printed now.
set -u
here=$(cd "$(dirname "$0")" && pwd)
driver=${PARSER_DRIVER-$(pwd)/testsuite/unit/parser_driver}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
ulimit -t 60	# seconds of CPU time: what never ends does
n=0 failed=0 bless=0
[ "${1-}" != --bless ] || bless=1

fail() {
	echo "$1"
	failed=$((failed + 1))
}

for f in "$here"/ok/*.stp; do
	args=
	n=$((n + 1))
	[ ! -f "${f%.stp}.args" ] || args=$(cat "${f%.stp}.args")
	"$driver" "$f" $args > "$work/one.stp" 2> "$work/err" ||
		{ fail "$f: refused"; cat "$work/err"; continue; }
	"$driver" "$work/one.stp" > "$work/two.stp" || { fail "$f: its print is refused"; continue; }
	diff -u "$work/one.stp" "$work/two.stp" || fail "$f: its print parses to another tree"
	[ ! -f "${f%.stp}.out" ] || [ $bless = 0 ] || cp "$work/one.stp" "${f%.stp}.out"
	[ ! -f "${f%.stp}.out" ] || diff -u "${f%.stp}.out" "$work/one.stp" || fail "$f: prints something else"
done
# Which stopwatches have a table of the threads that their calls start: of which calls, and no path of a program is one.
while IFS='|' read -r point calls; do
	echo "stopwatch $point" > "$work/point.stp"
	made=$("$driver" "$work/point.stp" | grep -o '(__name) == ("[a-z0-9]*")' | cut -d '"' -f 2 | paste -sd ' ')
	[ "$made" = "$calls" ] || fail "stopwatch $point: children of '$made', not of '$calls'"
	n=$((n + 1))
done << 'END'
fork|clone clone3 fork vfork
syscall.clone|clone
syscall.clone3 ?, syscall.read|clone3
syscall.*|clone clone3 fork vfork
syscall.forked|
kernel.function("sys_clone")|clone
kernel.function("sys_clone*")|clone clone3
kernel.function("__x64_sys_vfork@kernel/fork.c").return|vfork
kernel.function("kernel_clone")|clone clone3 fork vfork
kernel.function("vfs_*")|
process("./p").function("sys_fork")|
process("./kernel.function(\"sys_fork").function("main"), syscall.read|
module("sys_fork").function("fork")|
END
# The chapter on syntax in doc/language.md is generated from the grammar.
"$here/../../doc/grammar.sh" > "$work/chapter" || fail "doc/grammar.sh fails"
sed -n '/^<!-- made by doc.grammar.sh/,/^<!-- end of what doc.grammar.sh/p' "$here/../../doc/language.md" | diff -u - "$work/chapter" ||
	fail "doc/language.md has another grammar: run doc/grammar.sh --write"
# lapwing-compatibility(7) names each version of SystemTap with which --compatible changes something.
(cd "$here/../.." && { grep -RhoE '_since\([^"]*"[0-9.]+"' --include='*.[cl]' parser translator
	grep -oE '^.\{ "@[a-z_]+", [A-Z_]+, "[0-9]+\.[0-9]+"' parser/token.c; } | grep -oE '[0-9.]+"$' | tr -d '"' | sort -u) > "$work/changes"
grep -oE 'before [0-9]+\.[0-9]+' "$here/../../doc/man/lapwing-compatibility.7" | cut -d ' ' -f 2 | sort -u | diff "$work/changes" - ||
	fail "lapwing-compatibility(7) names other versions than those where --compatible changes something"
[ "$(wc -l < "$work/changes")" -ge 9 ] || fail "too few versions with changes were found"
cd "$here/bad" || exit 2
for f in *.stp; do
	args=
	n=$((n + 1))
	[ ! -f "${f%.stp}.args" ] || args=$(cat "${f%.stp}.args")
	"$driver" "$f" $args > "$work/out" 2> "$work/err"
	[ $? -eq 1 ] || fail "$f: exit status is not 1"
	[ $bless = 0 ] || cp "$work/err" "${f%.stp}.err"
	diff -u "${f%.stp}.err" "$work/err" || fail "$f: message differs"
done
echo "parse: $n cases, $failed failed"
[ $failed -eq 0 ]
