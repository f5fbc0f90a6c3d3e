#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - which scripts are accepted. Input: accepted.txt, refused.txt: "OPTIONS | SCRIPT". Output: a line for each that goes the other
# way, is refused without a message, or crashes. What -p1 prints of an accepted script is accepted too and prints the same; so it is of
# every script of the tree.
. "$(dirname "$0")/../common.sh"
ulimit -t 60	# seconds of CPU time: what never ends does
n=0
lw="./lapwing -w --runtime=user"

# again NAME OPTIONS [ARG...]: what is printed of $work/script prints the same
again() {
	name=$1 options=$2
	shift 2
	$lw $options -p1 - "$@" < "$work/script" > "$work/one" 2> "$work/err" || fail "does not print: $name: $(cat "$work/err")"
	# what a declaration stands for is printed as it was made: its print is the first that prints the same
	if grep -q "^stopwatch \|^profile \|^callgraph " "$work/script"; then
		cp "$work/one" "$work/script"
		$lw $options -p1 - < "$work/script" > "$work/one" 2> "$work/err" || fail "made text is refused: $name: $(cat "$work/err")"
	fi
	$lw $options -p1 - < "$work/one" > "$work/two" 2> "$work/err" || fail "its print is refused: $name: $(cat "$work/err")"
	cmp -s "$work/one" "$work/two" || fail "its print is another script: $name"
}

while IFS= read -r line; do
	case $line in '#'*) continue ;; esac
	options=${line%% | *} script=${line#* | }
	n=$((n + 1))
	$lw $options -e "$script" > "$work/out" 2> "$work/err" < /dev/null || { fail "refused: $line"; continue; }
	printf '%s\n' "$script" > "$work/script"
	again "$line" "$options"
done < testsuite/language/accepted.txt
while IFS= read -r line; do
	case $line in '#'*) continue ;; esac
	options=${line%% | *} script=${line#* | }
	n=$((n + 1))
	$lw $options -e "$script" > /dev/null 2> "$work/err" < /dev/null
	[ $? -eq 1 ] || fail "not refused, or not with status 1: $line"
	[ -s "$work/err" ] || fail "refused without a word: $line"
done < testsuite/language/refused.txt
for script in $(find examples tapsets testsuite -name '*.stp' ! -path '*/bad/*'); do
	case $script in */parse/ok/arguments.stp | */parse/ok/conditionals.stp) continue ;; esac	# these need other arguments
	n=$((n + 1))
	cp "$script" "$work/script"
	again "$script" -g 1 2 3
done
[ $n -gt 800 ] || fail "only $n scripts were read"
echo "language: $n scripts, $failed failed"
[ $failed -eq 0 ]
