#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-names.sh - checks that every alias and function of the library resolves on the given
# kernels, from their BTF and symbols alone.
#
# Input: KVER..., as for lapwing-vm (default: 5.10, 5.10-arm64, 6.1 and newest); gaps.tsv, the names
# known to be missing. Output: a line for each name that is missing and not in gaps.tsv, and for
# each row of gaps.tsv that its kernels no longer need; then PASS|FAIL names/KVER on stdout and in
# $LAPWING_TEST_RESULTS. Nothing is built and no guest runs, unless symbols must be dumped first.
#
# One script probes all aliases, one per line, and calls all functions of the library. What the
# translator cannot resolve is removed and recorded until the rest translates. The list of system
# calls comes from the kernel's own headers.
. "$(dirname "$0")/../common.sh"
vm=runtime/vm/lapwing-vm
gaps=testsuite/kernels/gaps.tsv

# translate FILE: resolves a script and dumps its functions and probes to stdout
translate() { ./lapwing -g -w -v --dump=context -r "$release" -a "$arch" "$1"; }

# Calls of the library's functions, one per line; only functions in tapsets/*.stp, which exist on
# every kernel, so that blame() finds the body
calls() {
	sed -nE 's/^function ([a-zA-Z0-9][a-zA-Z0-9_]*):?[a-z]*\(([^)]*)\).*/\1 \2/p' \
		tapsets/*.stp | sort -u |
		sed -E 's/[a-z0-9_]+:string/""/g
			s/[a-z0-9_]+:long/1/g
			s/^([^ ]+) (.*)/probe begin { \1(\2) }/'
}

aliases() {
	./lapwing -r "$release" -a "$arch" --dump-probe-aliases 2> "$work/err" |
		awk '{ print $1 }' |
		grep -vE '^__|\.__|^(libc|dw_syscall|nd_syscall|perf)\.' | sort -u |
			sed 's/.*/probe & { println(pn()) }/'
}

# function_at FILE LINE: the function of a library file whose body contains that line
function_at() {
	awk -v line="$2" 'FNR > line { exit }
		/^function / { split($2, part, /[:(]/); name = part[1] }
		END { print name }' "$1"
}

# blame ERRORS SCRIPT: "LINE NAME WHY" for each message: LINE is the alias's line in SCRIPT, or 0
# if a function's body is wrong. A message has several locations: its own, and the macros and
# aliases it was expanded from; a location without a file is in the file named before it.
blame() {
	local name line file at why
	awk -v script="$2" '
		function done() {
			if (why != "")
				print line + 0 "\t" (file == "" ? "-" : file) "\t" at + 0 "\t" why
			why = ""
		}
		/^(semantic|parse) error: / {
			done(); why = $0; line = 0
			sub(/^[a-z]+ error: /, "", why)
			sub(/: (identifier|operator|string) .*/, "", why)
		}
		/^ *hint: / && why !~ / - / { sub(/^ *hint: /, ""); why = why " - " $0 }
		why != "" && match($0, / at [^ ]*:[0-9]+:[0-9]+/) {
			split(substr($0, RSTART + 4, RLENGTH - 4), place, ":")
			if (place[1] == script) line = place[2]
			else { at = place[2]; file = place[1] == "" ? file : place[1] }
		}
		END { done() }' "$1" |
	while IFS=$'\t' read -r line file at why; do
		[ "$line" -gt 0 ] && name=$(sed -n "${line}s/^probe \([^ ]*\) .*/\1/p" "$2") ||
			name=$(function_at "$file" "$at")
		[ "$name" != begin ] || name=$(sed -n "${line}s/.*{ \([^(]*\)(.*/\1/p" "$2")
		printf '%s\t%s\t%s\n' "$line" "${name:-$file:$at}" "$why"
	done
}

# define NAME: an empty function that replaces the library's function of that name
define() {
	sed -nE "s/^function ($1:long\([^)]*\)).*/function \1 { return 0 }/p
		s/^function ($1:string\([^)]*\)).*/function \1 { return \"\" }/p" tapsets/*.stp
}

# resolve SCRIPT: removes what does not translate from it and appends "NAME WHY" to $work/missing;
# writes the dump of the rest to SCRIPT.dump
resolve() {
	local line name why
	for _ in $(seq 60); do
		translate "$1" > "$1.dump" 2> "$1.err" && return 0
		blame "$1.err" "$1" > "$1.blamed"
		cp "$1" "$1.before"
		while IFS=$'\t' read -r line name why; do
			printf '%s\t%s\n' "$name" "$why" >> "$work/missing"
			[ "$line" -gt 0 ] && sed -i "${line}s/.*//" "$1" || define "$name" >> "$1"
		done < "$1.blamed"
		! cmp -s "$1" "$1.before" || break
	done
	fail "names/$kernel: translating $1 fails for another reason: $(head -5 "$1.err")"
	return 1
}

# Prints aliases that translate but resolved to no probe point, because all their points are
# optional, and aliases with a value that always reads as 0
silent() {
	sed -nE 's/^probe ([^ ]+) .*/\1/p' "$1" | grep -v '^begin$' | sort -u > "$work/asked"
	sed -nE 's/.*\/\* <- (.*) \*\/( if .*)?$/\1/p' "$1.dump" | tr -s ' ,' '\n\n' |
		sort -u > "$work/found"
	awk -F'\t' '/^[0-9]+\// || /^-?\/?[0-9]+\t/ {
			n = split($2, name, /[,=]/)
			for (i = 1; i <= n; i++) print "syscall." name[i]
		}' tapsets/syscalls.tbl > "$work/numbered"
	comm -23 "$work/asked" "$work/found" | awk 'NR == FNR { numbered[$1] = 1; next }
		{ name = $1; sub(/\.return$/, "", name) }
		!(name in numbered) && !/^tp_/ { print $1 "\tnone of its points exists" }
		' "$work/numbered" -
	awk '/\/\* <- / { name = $0; sub(/.*<- /, "", name); sub(/[ ,].*/, "", name) }
		/__unread\(\)/ { print name "\ta missing value reads as 0" }' \
			"$1.dump" | sort -u
}

# numbers HEADERS: prints the system calls of the kernel's headers, "NUMBER NAME"
numbers() {
	local headers common machine=$arch
	[ "$arch" != x86_64 ] || machine=x86
	headers=$1
	common=$(echo "$headers"/../linux-headers-*-common)
	echo '#include <asm/unistd.h>' > "$work/unistd.c"
	cc=(gcc -E -nostdinc -I "$headers/arch/$machine/include/generated/uapi" \
		-I "$common/arch/$machine/include/uapi" -I "$common/include/uapi")
	"${cc[@]}" -dM "$work/unistd.c" | sed -nE 's/^#define __NR_([a-z]\w*) .*/"\1" __NR_\1/p' |
		grep -vE '"(syscalls|arch_specific_syscall)"' |
		{ cat "$work/unistd.c" -; } | "${cc[@]}" -P - |
			sed -nE 's/^"(.*)" \(?([0-9]+)\)?$/\2 \1/p'
}

# calls_without_alias DUMP: system calls of this kernel that syscalls.tbl has no row for, or whose
# alias resolves to nothing
calls_without_alias() {
	local headers column=1
	headers=$("$vm" path "$kernel" headers 2> "$work/err") ||
		{ echo "names/$kernel: no headers: system calls are not compared" >&2; return; }
	[ "$arch" != arm64 ] || column=2
	numbers "$headers" | sort > "$work/numbers"
	[ "$(wc -l < "$work/numbers")" -gt 250 ] ||
		fail "names/$kernel: the headers' system calls cannot be read"
	awk -F'\t' -v column=$column '/^[0-9-]+\// {
			split($1, n, "/"); split($2, name, /[,=]/)
			print n[column], name[1]
		}' tapsets/syscalls.tbl | sort > "$work/rows"
	awk -v found="$work/found" '
		BEGIN { while ((getline name < found) > 0) there[name] = 1 }
		NR == FNR { row[$1] = $2; next }
		!($1 in row) {
			print "syscall." $2 "\tsystem call " $1 \
				" has no row in tapsets/syscalls.tbl"
			next
		}
		!("syscall." row[$1] in there) {
			print "syscall." row[$1] "\tthe kernel has system call " $1 \
				", its alias finds no function"
		}
		' "$work/rows" "$work/numbers"
}

# The kernel runtime itself binds the trampoline of return probes by name when it is loaded: one of
# its two names must exist
bound() {
	local names
	[ "$arch" = arm64 ] || return 0
	names=$(sed -nE 's/^#define RETURNS_TRAMPOLINE (.*)/\1/p' \
		runtime/kernel/compat/compat_return.h | sed 's/", "/|/g; s/"//g')
	[ -n "$names" ] && grep -qE " ($names)\$" "$(cat "$work/symbols")/kallsyms" ||
		printf 'RETURNS_TRAMPOLINE\tno symbol %s: stacks end at probed returns (%s)\n' \
			"'$names'" runtime/kernel/compat/compat_return.h
}

# unexpected SERIES: prints what is missing and in no row of gaps.tsv for that kernel, and rows that
# are no longer needed
unexpected() {
	awk -F'\t' -v series="$1" '
		NR == FNR && /^#/ { next }
		NR == FNR {
			n = split($1, on, " ")
			for (i = 1; i <= n; i++)
				if (series ~ ("^(" on[i] ")$")) { name[++rows] = $2; break }
			next
		}
		{
			for (known = i = 1; i <= rows; i++)
				if ($1 ~ ("^(" name[i] ")(\\.return)?$")) { used[i] = 1; known = 2 }
			if (known == 1 && !said[$1]++) print $1 ": " $2
		}
		END {
			for (i = 1; i <= rows; i++)
				if (!used[i])
					print name[i] ": in gaps.tsv, but not missing"
		}' "$gaps" "$work/missing"
}

check_kernel() {
	local script=$work/script.stp
	release=$("$vm" path "$kernel" release) && arch=$("$vm" path "$kernel" arch) &&
		"$vm" path "$kernel" symbols > "$work/symbols" || return 1
	series=$(sed -E 's/^([0-9]+\.[0-9]+).*-(rt-)?(cloud-)?(amd|arm)64$/\1 \2 \4/
		s/ (rt)- .*/-rt/; s/  arm/-arm64/; s/ .*//' <<< "$release")
	: > "$work/missing"
	{ aliases; calls; } > "$script"
	[ "$(grep -c . "$script")" -gt 1000 ] ||
		{ fail "names/$kernel: the library has no aliases: $(cat "$work/err")"; return 1; }
	resolve "$script" || return 1
	silent "$script" >> "$work/missing"
	{ calls_without_alias; bound; } >> "$work/missing"
	unexpected "$series" > "$work/unexpected"
	sed "s|^|FAIL names/$kernel |" "$work/unexpected"
	[ ! -s "$work/unexpected" ]
}

[ $# -gt 0 ] || set -- 5.10 5.10-arm64 6.1 newest
for kernel; do
	check_kernel && result=PASS || { result=FAIL; failed=1; }
	echo "$result names/$kernel" | tee -a "${LAPWING_TEST_RESULTS:-/dev/null}"
done
[ $failed -eq 0 ]
