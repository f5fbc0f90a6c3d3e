#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# startup.sh - cost of starting a script: a TSV of case, cpu_ms, elapsed_ms (medians; CPU time
# includes child processes).
#
#   kernel-cold, kernel-cached   builds the module of a function stopwatch, not cached and cached;
#                                the kernel's data are cached
#   kernel-hello, kernel-300     the same for the smallest script and one with 300 handlers, not
#                                cached
#   user-cold, user-cached       a whole run of a PC histogram in the user runtime, which ends at
#                                its first timer, when all probes are armed
#   user-hello, user-300         the same for the smallest script and one with 300 handlers
#   user-stacks                  the same with whole stacks in place of the histogram
#   kernel-first                 a function stopwatch on a kernel without cached data (once)
#   stap-*, bpftrace-*           the same jobs with these tools, if they are installed
# Uses the headers of the running kernel if installed, else those of the 6.1 guest kernel.
set -u
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
runs=${RUNS:-9}
LC_ALL=C TIMEFORMAT='%R %U %S'
cache=${LAPWING_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/lapwing}
mkdir -m 700 "$work/cache" "$work/first" && ln -s "$cache/vm" "$work/cache/vm" &&
	ln -s "$cache/vm" "$work/first/vm"
export LAPWING_CACHE=$work/cache
release=$(uname -r)
[ -e "/lib/modules/$release/build/Makefile" ] ||
	release=$(runtime/vm/lapwing-vm path 6.1 release) || exit 1

stopwatch='global began, took
probe kernel.function("vfs_read") { began[tid()] = gettimeofday_ns() }
probe kernel.function("vfs_read").return {
	if (tid() in began) took[execname()] <<< gettimeofday_ns() - began[tid()]
}
probe end { foreach (name in took) print(@hist_log(took[name])) }'
histogram='global pcs
probe timer.profile { pcs[usymname(uaddr())]++ }
probe timer.ms(1) { exit() }
probe end { foreach (name in pcs- limit 20) printf("%8d %s\n", pcs[name], name) }'
stacks='global s
probe timer.profile { s[ubacktrace()]++ }
probe timer.ms(20) { exit() }
probe end { foreach (stack in s- limit 20) println(s[stack]) }'
hello='probe begin { println("hello"); exit() }'
many=$(for i in $(seq 300); do
	echo "global n$i, s$i probe timer.s($i) {
		for (i = 0; i < 5; i++) { n$i += i; s$i[execname()] <<< i }
		if (n$i > 10) println(n$i) }"
done; echo 'probe timer.ms(1) { exit() }')

middle() {	# middle EXPRESSION FILE: prints the median in ms
	awk "{ print 1000 * ($1) }" "$2" | sort -n | sed -n "$(((runs + 1) / 2))p"
}

# measure CASE SCRIPT COMMAND...: writes the script to $work/script.stp and runs COMMAND; %run in
# the script is replaced by the number of the run, so that no run is cached.
measure() {
	local case=$1 script=$2 i
	shift 2
	for i in $(seq "$runs"); do
		printf '%s\n' "${script//%run/$i}" > "$work/script.stp"
		{ time "$@" > "$work/out" 2> "$work/err" < /dev/null; } 2>> "$work/$case.times" ||
			{ echo "startup.sh: $case: $(tail -1 "$work/err")" >&2; return; }
	done
	printf '%s\t%s\t%s\n' "$case" "$(middle '$2 + $3' "$work/$case.times")" "$(middle '$1' \
		"$work/$case.times")"
}

printf 'case\tcpu_ms\telapsed_ms\n'
module=(./lapwing -p4 -r "$release" "$work/script.stp")
user=(./lapwing --runtime=user "$work/script.stp")
LAPWING_CACHE=$work/first RUNS=1 runs=1 measure kernel-first "$stopwatch" "${module[@]}"
"${module[@]:0:4}" -e "$hello" > "$work/out" || exit 1
measure kernel-cold	"$stopwatch probe begin { println(%run) }" "${module[@]}"
measure kernel-cached	"$stopwatch probe begin { println(1) }" "${module[@]}"
measure kernel-hello	"$hello probe begin { println(%run) }" "${module[@]}"
measure kernel-300	"$many probe begin { println(%run) }" "${module[@]}"
measure user-cold	"$histogram probe begin { println(%run) }" "${user[@]}"
measure user-cached	"$histogram probe begin { println(1) }" "${user[@]}"
measure user-hello	"$hello probe begin { println(%run) }" "${user[@]}"
measure user-stacks	"$stacks probe begin { println(%run) }" "${user[@]}"
measure user-300	"$many probe begin { println(%run) }" "${user[@]}"
if command -v stap > "$work/out"; then
	measure stap-cold	"$stopwatch probe begin { println(%run) }" stap -p4 -r "$release" \
		"$work/script.stp"
fi
if command -v bpftrace > "$work/out"; then
	measure bpftrace-hello	'BEGIN { printf("%run\n"); exit(); }' bpftrace "$work/script.stp"
	measure bpftrace-histogram \
		'profile:hz:100 { @[ustack(1)] = count(); } interval:ms:1 { exit(); }
		BEGIN { printf("%run\n"); }' \
		bpftrace "$work/script.stp"
fi

# Measures loading modules in a guest whose clock counts instructions: 1 ns each, including waits.
# The second load finds the kernel's symbols cached. The last reads unwind rows of programs' images
# (.eh_frame), because its script uses user stacks.
load() {
	local vm=runtime/vm/lapwing-vm module
	release=$("$vm" path 6.1 release) || return
	mkdir -p "$work/load" && ${CC:-gcc} -O1 -static -o "$work/load/load_cost" \
		testsuite/bench/load_cost.c || return
	for module in hello stopwatch stacks; do
		case $module in
		hello) printf '%s\n' "$hello";;
		stopwatch) printf '%s\n' \
			"$stopwatch probe begin { println(1) } probe timer.ms(20) { exit() }";;
		stacks) printf '%s\n' "$stacks probe begin { println(1) }";;
		esac > "$work/script.stp"
		(cd "$work/load" && "$OLDPWD/lapwing" -p4 -r "$release" -m $module \
			"$work/script.stp" > "$work/out" 2>&1) ||
			{ cat "$work/out" >&2; return; }
	done
	printf '\nload (instructions)\tbefore_init_module\tin_init_module\t'
	printf 'to_first_output\tto_the_end\n'
	"$vm" run --icount --file "$PWD/lapwing-run-static:/bin/lapwing-run" \
		--file "$work/load:/tmp/load" 6.1 -- \
		sh -c 'cd /tmp/load && HOME=/tmp ./load_cost /bin/lapwing-run hello.ko \
			stopwatch.ko stopwatch.ko stacks.ko' < /dev/null
}
command -v qemu-system-x86_64 > "$work/out" && load
