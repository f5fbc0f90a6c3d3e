#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - the examples, examples/SUBJECT/NAME.stp. Each has a description with all fields,
# NAME.meta, and translates for the runtimes that it names. Those of the user runtime run here, and
# their output is judged, by these fields of the .meta:
#   test-trigger: does 3 fork    the command (-c): a program of testsuite/triggers; scripts get it
#                                as ./does
#   test-command: ls /           the command (-c): any other; it runs in a temporary folder
#   test-arguments: ./does 5     the script's arguments
#   test-options: -G n=5         options of lapwing
#   test-run: --only-target      options of lapwing-run (default: --only-target); "none": no
#                                options, the script observes the whole machine
#   test-file: NAME TEXT         makes a file in that folder, with a line TEXT (\n: a newline);
#                                may be repeated, lines of the same NAME are appended
#   test-before: gcc -o x x.c    a shell command that runs in that folder first
#   test-here: no                runs in guests only (`check` says why); test-guest: no means
#                                natively only
#   test-lines, test-awk         see judge.sh
# Guests use the same fields for the kernel runtime (testsuite/run-kernel/check-kernel.sh).
# Usage: check.sh [NAME]...
. "$(dirname "$0")/../common.sh"
top=$PWD
mountpoint -q /sys/kernel/tracing || mount -t tracefs tracefs /sys/kernel/tracing
kernel=$("$top/runtime/vm/lapwing-vm" path 6.1 release 2> /dev/null) ||
	echo "examples: no kernel to translate for"

field() { sh "$top/testsuite/examples/field.sh" "$@"; }

# describe META: checks that all fields are there and that the subject is the folder's name
describe() {
	local name
	for name in title subject what runtime run check sample; do
		[ -n "$(field "$1" "$name")" ] || fail "$1 has no $name"
	done
	name=${1%/*}
	[ "$(field "$1" subject)" = "${name##*/}" ] || fail "$1: its subject is not its folder"
	! expand "$1" "${1%.meta}.stp" | grep -E '.{101}' || fail "$1: lines over 100 characters"
	grep -q '^# SPDX-License-Identifier: GPL-2.0-or-later' "${1%.meta}.stp" ||
		fail "$1: no SPDX line in the script"
}

# trigger PROGRAM: builds it in $work if it is not there yet
trigger() {
	[ -x "$work/$1" ] ||
		gcc -g -O1 -fno-omit-frame-pointer -pthread -o "$work/$1" \
			"testsuite/triggers/$1.c" ||
		exit 2
}

# Examples that observe the whole machine need a kernel that samples each hit that it counts.
trigger sampled
not_sampled=$("$work/sampled")
case $? in
0) ;;
1) echo "examples: this kernel does not sample some hits ($not_sampled)";;
*) echo "examples: cannot test whether this kernel samples each hit"; exit 2;;
esac

# run META: runs it natively in the user runtime
run() {
	local meta=$1 name command options
	name=$(basename "$meta" .meta)
	if [ -n "$not_sampled" ] && [ "$(field "$meta" test-run)" = none ]; then
		echo "examples: $name observes the whole machine and does not run here"
		return
	fi
	command=$(field "$meta" test-trigger)
	if [ -n "$command" ]; then
		trigger "${command%% *}"
		command=./$command
	else
		command=$(field "$meta" test-command)
	fi
	[ -n "$command" ] || { fail "$name: neither test-trigger nor test-command"; return; }
	field "$meta" test-file | while read -r file text; do
		printf '%b\n' "$text" >> "$work/$file"
	done
	(cd "$work" && eval "$(field "$meta" test-before)") ||
		{ fail "$name: test-before"; return; }
	options=$(field "$meta" test-run)
	(cd "$work" && eval "timeout 60 $top/lapwing --runtime=user $(field "$meta" test-options) \
		$(case $options in none) ;; '') echo --only-target;; *) echo "$options";; esac) \
		-c \"\$command\" ${meta%.meta}.stp $(field "$meta" test-arguments)" \
		> "$name.out" 2> "$name.err" < /dev/null) ||
		{ fail "$name: exit status $?: $(head -20 "$work/$name.err")"; return; }
	sh testsuite/examples/judge.sh "$meta" "$work/$name.out" ||
		fail "$name: $(head -20 "$work/$name.err")"
	ran=$((ran + 1))
}

# translate META: translates it for the kernel runtime
translate() {
	local command
	command=$(field "$1" test-trigger)
	[ -z "$command" ] || trigger "${command%% *}"
	(cd "$work" && eval "$top/lapwing --runtime=kernel -r $kernel -p3 \
		$(field "$1" test-options) ${1%.meta}.stp $(field "$1" test-arguments)" > c \
		2> err) ||
		fail "$1: $(head -20 "$work/err")"
}

n=0 ran=0
for meta in "$top"/examples/*/*.meta; do
	[ $# -eq 0 ] || [[ " $* " == *" $(basename "$meta" .meta) "* ]] || continue
	n=$((n + 1))
	describe "$meta"
	case $(field "$meta" runtime) in
	user|both) [ "$(field "$meta" test-here)" = no ] || run "$meta";;
	kernel) ;;
	*) fail "$meta: runtime is kernel, user or both";;
	esac
	case $(field "$meta" runtime) in
	kernel|both) [ -z "$kernel" ] || translate "$meta";;
	esac
done

# lapwing examples
lists() {	# lists PATTERN WORD...: `lapwing examples WORD...` prints a line that matches
	local pattern=$1
	shift
	./lapwing examples "$@" > "$work/list" 2>&1 && grep -qE "$pattern" "$work/list" ||
		fail "examples $*: $(head -5 "$work/list")"
}
if [ $# -eq 0 ]; then
	./lapwing examples > "$work/list"
	[ "$(wc -l < "$work/list")" -eq $(($(find examples -name '*.stp' | wc -l) + 1)) ] ||
		fail "examples does not list all examples"
	lists '^pc-histogram +profiling +PC histogram$' '3:1' PROGRAM
	! ./lapwing examples counter 'no such' > "$work/list" 2>&1 ||
		fail "a word that no example has is found"
	lists '^runtime +both$' PHASES.stp
	lists 'probe timer[.]profile' phases
	lists "^run +lapwing -c '.*--example signals" signals
	lists '^    [A-Z]+ +[A-Z]+ ' forks
	./lapwing examples --source phases | cmp -s - examples/phases.stp ||
		fail "examples --source"
	[ "$(./lapwing examples --path phases)" -ef examples/phases.stp ] || fail "examples --path"
	./lapwing examples fases > "$work/list" 2>&1 && fail "examples fases succeeds"
	grep -q "no example 'fases': did you mean phases" "$work/list" ||
		fail "examples fases: $(cat "$work/list")"
fi
[ $failed -eq 0 ] && echo "examples: $n, of which $ran ran here, all passed"
[ $failed -eq 0 ]
