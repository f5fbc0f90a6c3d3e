#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# table.sh - makes doc/kernels.md: tries which kinds of probes work on which kernel.
#
# Input: KVER... as for lapwing-vm (default: every series in its cache). rows/*.stp: a script for
# each kind of probe, which prints `ok' if its counts are right. Directives: row (its name in the
# table), trigger (of testsuite/triggers, or sysrq), on (the architecture it is for), says (a text
# that the run must print). tried.tsv: KVER, row, result, why: the last results of all kernels.
# Output: tried.tsv with new results for these kernels, doc/kernels.md made from it, and a line with
# the reason for each row that fails. Exits with 0 if all kernels were tried, even if rows fail.
# With --page, only makes the page. Each kernel boots once for the kernel runtime, and once for each
# script of the user runtime, which is only tried on this machine's architecture.
. "$(dirname "$0")/../common.sh"
top=$PWD vm=runtime/vm/lapwing-vm rows=testsuite/kernels/rows tried=testsuite/kernels/tried.tsv

directive() { sed -n "s/^#@ $2: *//p" "$1" | head -n 1; }

# note KVER ROW RESULT [WHY]: yes, no, -
note() {
	printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "${4:-}" >> "$work/results"
	[ "$3" != no ] || echo "$1 $2: ${4:-}"
}

build_triggers() {	# build_triggers ARCH
	local cc=gcc c
	[ "$1" != arm64 ] || cc=aarch64-linux-gnu-gcc
	mkdir -p "$work/triggers-$1"
	for c in getppid reads sysctl work recurse touched; do
		"$cc" -g -O1 -static -pthread -o "$work/triggers-$1/$c" "testsuite/triggers/$c.c" ||
			exit 2
	done
	printf '%s\n' '#!/bin/sh' 'dmesg -n 1' \
		'for i in 1 2 3 4 5 6 7 8 9 10; do echo l > /proc/sysrq-trigger; done' \
		> "$work/triggers-$1/sysrq" &&
		chmod +x "$work/triggers-$1/sysrq"
}

# prepare KVER ROW: makes a folder of the batch, or notes why the row does not build
prepare() {
	local name dir trigger
	name=$(basename "$2" .stp) trigger=$(directive "$2" trigger)
	dir=$work/$1/$name
	mkdir -p "$dir" && cd "$dir" || return
	if ! "$top/lapwing" -w -p4 -r "$release" -a "$arch" -m "row_${name%%-*}" \
		--sysroot="$work/triggers-$arch" "$top/$2" > out 2> err; then
		note "$1" "$name" no "does not build: $(grep -m 1 \
			-vE '^(WARNING|lapwing: the module)' err | sed "s|$top/||g; s/^ *//")"
		cd "$top" && rm -rf "$dir"
		return
	fi
	mv row_*.ko module.ko
	{
		echo '#!/bin/sh'
		[ -z "$trigger" ] || echo "ln -sf \"\$PWD/${trigger%% *}\" /"
		echo "exec lapwing-run ${trigger:+-c \"./$trigger\"} ./module.ko"
	} > run
	[ -z "$trigger" ] || cp "$work/triggers-$arch/${trigger%% *}" .
	chmod +x run
	cd "$top" || exit 2
}

# judge KVER ROW
judge() {
	local name dir why says
	name=$(basename "$2" .stp) says=$(directive "$2" says)
	dir=$work/$1/$name
	[ -d "$dir" ] || return 0
	if [ "$(cat "$dir/status" 2>/dev/null)" = 0 ] && [ "$(cat "$dir/out")" = ok ] &&
		! grep -qE 'BUG:|Oops|WARNING: CPU' "$dir/klog"; then
		grep -qF -e "$says" "$dir/err" "$dir/out" && note "$1" "$name" yes ||
			note "$1" "$name" no "the run does not say '$says'"
	else
		why=$(grep -hE 'BUG:|Oops|WARNING: CPU' "$dir/klog" 2>/dev/null | head -n 1)
		note "$1" "$name" no "${why:-$(cat "$dir/out" "$dir/err" 2>/dev/null | head -n 1)}"
	fi
}

kernel_runtime() {	# kernel_runtime KVER
	local row runner=lapwing-run-static
	[ "$arch" != arm64 ] || runner=lapwing-run-static-arm64
	mkdir -p "$work/$1"
	for row in "$rows"/*.stp; do
		case $(directive "$row" on) in
		''|"$arch") ;;
		*) note "$1" "$(basename "$row" .stp)" - ; continue ;;
		esac
		if [ -d "$headers" ]; then prepare "$1" "$row"
		else note "$1" "$(basename "$row" .stp)" no "no headers in the archive"; fi
	done
	[ -n "$(ls "$work/$1")" ] || return 0
	"$vm" run --file "$top/$runner:/bin/lapwing-run" --kernel-log "$work/klog" \
		--batch "$work/$1" "$1" < /dev/null > "$work/batch" 2>&1
	for row in "$rows"/*.stp; do judge "$1" "$row"; done
}

user_row() {	# user_row KVER NAME SCRIPT [COMMAND]
	local said
	[ "$arch" = "$(uname -m)" ] || { note "$1" "$2" -; return; }
	said=$(./lapwing -w --target="vm:$1" --runtime=user ${4:+-c "$4"} -e "$3" 2> "$work/err" \
		< /dev/null)
	[ "$said" = ok ] && note "$1" "$2" yes || note "$1" "$2" no "$(printf '%s\n' "$said" |
		cat - "$work/err" | grep -m 1 .)"
}

user_runtime() {
	local count='probe end { println(n == 2000 ? "ok" : sprint(n)) }'
	user_row "$1" 'user runtime: timers' \
		'global n probe timer.ms(20) { if (++n == 5) exit() }
		probe end { println(n == 5 ? "ok" : "no") }'
	user_row "$1" 'user runtime: kernel.trace' \
		"global n probe kernel.trace(\"raw_syscalls:sys_enter\") {
		if (pid() == target() && \$id == 110) n++ } $count" \
			"$work/triggers-$arch/getppid 2 1000"
	user_row "$1" 'user runtime: process().function' \
		"global n probe process(\"$work/triggers-$arch/work\").function(\"work\").return {
		if (returnval() == 15) n++ } $count" "$work/triggers-$arch/work 2 1000"
}

# Notes what lapwing doctor finds missing in the kernel itself
doctor() {
	local name=50-doctor lacks
	[ "$arch" = "$(uname -m)" ] || { note "$1" 'lapwing doctor, on the kernel' -; return; }
	"$vm" run --elf "$top/lapwing-doctor" "$1" -- "$top/lapwing-doctor" > "$work/doctor" \
		2> "$work/err" < /dev/null
	lacks=$(awk 'BEGIN {
			own = "modules|signatures|lockdown|btf|kprobes|uprobes|nop5|tracefs|" \
				"symbols|perf"
		}
		/^(limited|missing) / && $2 ~ "^(" own ")$" { print $2 }' \
		"$work/doctor" | paste -sd, | sed 's/,/, /g')
	grep -q '^ok' "$work/doctor" || lacks="it does not run: $(head -n 1 "$work/err")"
	[ -z "$lacks" ] && note "$1" 'lapwing doctor, on the kernel' yes ||
		note "$1" 'lapwing doctor, on the kernel' no "limited or missing: $lacks"
}

# All kernels of tried.tsv by version: first the stock amd64 kernels, then PREEMPT_RT, kernels built
# here, and arm64
kernels() {
	cut -f 1 "$tried" | awk \
		'!said[$0]++ { print (/arm64/ ? 3 : /-(clang|debug)/ ? 2 : /-rt/) "\t" $0 }' |
		sort -k1,1n -k2,2V | cut -f 2
}

# write_table KVER...
write_table() {
	local kernel row name
	printf '| |'; printf ' %s |' "$@"
	printf '\n|---|'; for kernel; do printf -- '---|'; done
	echo
	cut -f 2 "$tried" | awk '!said[$0]++' > "$work/names"
	{ grep -v '^[0-9]' "$work/names" | grep -xE 'release|tried'; grep '^[0-9]' "$work/names" |
		sort
	  grep -v '^[0-9]' "$work/names" | grep -vxE 'release|tried'; } | while read -r name; do
		row=$name
		[ ! -f "$rows/$name.stp" ] || row="\`$(directive "$rows/$name.stp" row)\`"
		printf '| %s |' "$row"
		for kernel; do
			printf ' %s |' "$(awk -F'\t' -v k="$kernel" -v n="$name" \
				'$1 == k && $2 == n { print $3 == "no" ? "**no**" : $3; exit }' \
				"$tried")"
		done
		echo
	done
}

# What does not work; kernels with the same message share an item
write_failures() {
	awk -F'\t' '
		$3 == "no" {
			key = $2 ": `" $4 "`"
			if (!(key in at)) { at[key] = ++n; text[n] = key }
			on[at[key]] = on[at[key]] (on[at[key]] ? ", " : "") $1
		}
		END {
			for (i = 1; i <= n; i++) print "- " on[i] ", " text[i]
			if (!n) print "- nothing"
		}' "$tried" | fold -s -w 98 | sed '/^- /!s/^/  /; s/ *$//'
}

write_page() {
	cat <<-END
	# Kernels

	Generated by \`testsuite/kernels/table.sh\` from runs in guests, on the day in the row "tried". Each
	row is a script of \`testsuite/kernels/rows\` that counts something known: its result was right
	(yes) or not (no), or it cannot run there (-). \`lapwing doctor --kernels\` lists the available
	kernels.

	END
	# shellcheck disable=SC2046
	write_table $(kernels)
	printf '\nFailures and their messages:\n\n'
	write_failures
	sed -n '/^: <<.KEPT.$/,/^KEPT$/p' "$0" | sed '1d;$d'
}

# keep KVER: replaces the kernel's results in tried.tsv
keep() {
	{ grep -v "^$1	" "$tried"; cat "$work/results"; } > "$work/tried" &&
		cp "$work/tried" "$tried"
}

: <<'KEPT'

## Known limits

On 5.10 (amd64) a kernel stack taken in the trampoline of a kretprobe may end there: the kernel's
unwinder does not know its frame.

On 5.10 (arm64) only global functions have `$argument`: the BTF of that kernel, made by a pahole
before 1.22, has no static functions. The message says so; the -dbg package of the kernel has them.
33 aliases of the library need that package there (`testsuite/kernels/gaps.tsv`).

On PREEMPT_RT a hit of a function, with count, array or text, takes as many instructions as without:
101 and 101, 295 and 294, 191 and 191 on 6.1-rt and 6.1. A hit of a tracepoint takes 131 (120), a
call timed by a stopwatch 578 (554), a sample 1,169 (1,114): `testsuite/bench/hits.sh 6.1 6.1-rt`.

## When a new kernel comes out

`testsuite/kernels/new.sh KVER` (for example 7.4) fetches it and runs these checks in order. Each
failing line needs one change:

1. `check-names.sh KVER`: a function, a member or an event that the library uses is gone, or a
   system call has no row in `tapsets/syscalls.tbl`. The line gives the alias and the kernel's
   replacement. Add the replacement to the alias, by `@choose_defined` or another point after `!`;
   if there is none, add a row to `testsuite/kernels/gaps.tsv` with the reason.
2. `testsuite/emit/check-kbuild.sh KVER`: the runtime does not build. Add a feature test in
   `runtime/kernel/compat/has_*.c`, never a version check.
3. `testsuite/run-kernel/check-kernel.sh -c KVER`: finds what builds but does not work.
4. `table.sh KVER`: adds the kernel to this page.
KEPT

try() {	# try KVER
	release=$("$vm" fetch "$1") && arch=$("$vm" path "$1" arch) ||
		{ echo "$1: no such kernel"; exit 2; }
	headers=$("$vm" path "$1" headers 2> "$work/err") || headers=
	: > "$work/results"
	note "$1" release "$release"
	note "$1" tried "$(date -u +%Y-%m-%d)"
	[ -d "$work/triggers-$arch" ] || build_triggers "$arch"
	kernel_runtime "$1"
	user_runtime "$1"
	doctor "$1"
	keep "$1"
}

page=
[ "${1:-}" != --page ] || { page=1; shift; }
[ $# -gt 0 ] || [ -n "$page" ] || mapfile -t wanted < <("$vm" list |
	awk '$4 == "cached" && $1 != $2 { print $1 }')
[ $# -eq 0 ] || wanted=("$@")
for kernel in ${wanted[@]+"${wanted[@]}"}; do try "$kernel"; done
write_page > "$work/page" && cp "$work/page" doc/kernels.md
