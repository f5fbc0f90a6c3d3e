#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - which scripts are accepted. Input: accepted.txt, refused.txt: "OPTIONS | SCRIPT".
# Output: a line for each with the wrong result, refused without a message, or with a crash. The
# output of -p1 for an accepted script is accepted, too, and prints the same; this holds for every
# script of the tree.
. "$(dirname "$0")/../common.sh"
n=0
lw="./lapwing -w --runtime=user"

# again NAME OPTIONS [ARG...]: the output of -p1 for $work/script, as a script, prints the same
again() {
	name=$1 options=$2
	shift 2
	timeout 20 $lw $options -p1 - "$@" < "$work/script" > "$work/one" 2> "$work/err" ||
		fail "does not print: $name: $(cat "$work/err")"
	# A stopwatch declaration prints as the text that it expands to, which is formatted
	# differently: the print of that print is the first that is stable.
	if grep -q "^stopwatch \|^profile " "$work/script"; then
		cp "$work/one" "$work/script"
		timeout 20 $lw $options -p1 - "$@" < "$work/script" > "$work/one" 2> "$work/err" ||
			fail "the expanded text is refused: $name: $(cat "$work/err")"
	fi
	timeout 20 $lw $options -p1 - < "$work/one" > "$work/two" 2> "$work/err" ||
		fail "the output of -p1 is refused: $name: $(cat "$work/err")"
	cmp -s "$work/one" "$work/two" || fail "the output of -p1 prints differently: $name"
}

while IFS= read -r line; do
	case $line in '#'*) continue ;; esac
	options=${line%% | *} script=${line#* | }
	n=$((n + 1))
	timeout 20 $lw $options -e "$script" > "$work/out" 2> "$work/err" < /dev/null ||
		{ fail "refused: $line"; continue; }
	printf '%s\n' "$script" > "$work/script"
	again "$line" "$options"
done < testsuite/language/accepted.txt
while IFS= read -r line; do
	case $line in '#'*) continue ;; esac
	options=${line%% | *} script=${line#* | }
	n=$((n + 1))
	timeout 20 $lw $options -e "$script" > /dev/null 2> "$work/err" < /dev/null
	[ $? -eq 1 ] || fail "not refused, or not with status 1: $line"
	[ -s "$work/err" ] || fail "refused without a message: $line"
done < testsuite/language/refused.txt
for script in $(find examples tapsets testsuite -name '*.stp' ! -path '*/bad/*'); do
	# These need other arguments.
	case $script in */parse/ok/arguments.stp | */parse/ok/conditionals.stp) continue ;; esac
	n=$((n + 1))
	cp "$script" "$work/script"
	again "$script" -g 1 2 3
done
[ $n -gt 800 ] || fail "only $n scripts were read"
echo "language: $n scripts, $failed failed"
[ $failed -eq 0 ]
