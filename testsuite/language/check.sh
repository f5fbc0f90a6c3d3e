#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - which scripts are accepted. Input: accepted.txt, refused.txt: "OPTIONS | SCRIPT". Output: a line for each that goes the other
# way, is refused without a message, or crashes. What -p1 prints of an accepted script is accepted too and prints the same.
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0 n=0
fail() { echo "FAIL $*"; failed=$((failed + 1)); }
lw="./lapwing -w --runtime=user"

while IFS= read -r line; do
	case $line in '#'*) continue ;; esac
	options=${line%% | *} script=${line#* | }
	n=$((n + 1))
	timeout 20 $lw $options -e "$script" > "$work/out" 2> "$work/err" < /dev/null || { fail "refused: $line"; continue; }
	timeout 20 $lw $options -p1 -e "$script" > "$work/one" 2> /dev/null
	timeout 20 $lw $options -p1 - < "$work/one" > "$work/two" 2> "$work/err" || fail "its print is refused: $line"
	cmp -s "$work/one" "$work/two" || fail "its print is another script: $line"
done < testsuite/language/accepted.txt
while IFS= read -r line; do
	case $line in '#'*) continue ;; esac
	options=${line%% | *} script=${line#* | }
	n=$((n + 1))
	timeout 20 $lw $options -e "$script" > /dev/null 2> "$work/err" < /dev/null
	[ $? -eq 1 ] || fail "not refused, or not with status 1: $line"
	[ -s "$work/err" ] || fail "refused without a word: $line"
done < testsuite/language/refused.txt
[ $n -gt 400 ] || fail "only $n scripts were read"
echo "language: $n scripts, $failed failed"
[ $failed -eq 0 ]
