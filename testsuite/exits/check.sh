#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - where calls of functions end: what is told of compiled functions, and of this machine's
# C library, is what objdump says of them; of code that no compiler writes, the answers are here.
. "$(dirname "$0")/../common.sh"
here=testsuite/exits

# compare WHAT FILE OBJDUMP: $work/told is what the driver says of the file
compare() {
	testsuite/unit/exits_driver "$2" > "$work/told" 2> "$work/err" &&
		$here/compare.py "$2" "$3" < "$work/told" > "$work/compared" ||
		{ fail "$1"; head -20 "$work/err" "$work/compared"; }
}
# accepted WHAT: all are, but those in $refused
accepted() {
	compare "$1" "$work/shapes" "$objdump"
	[ "$(grep -cE '^(function|refused) ' "$work/told")" -ge 17 ] || fail "$1: too few functions"
	grep '^refused' "$work/told" | grep -vE "^refused ($refused):" > "$work/more" &&
		{ fail "$1: refused"; cat "$work/more"; }
}
# shapes COMPILER FLAG...
shapes() {
	"$@" -g0 -fexceptions -nostdlib -Wl,--unresolved-symbols=ignore-all -o "$work/shapes" \
		$here/shapes.c 2> "$work/err" || { fail "$* does not compile"; head -5 "$work/err"; return; }
	accepted "$*"
}
# odd MACHINE COMPILER: as the table says
odd() {
	"$2" -shared -nostdlib -o "$work/odd" $here/odd-"$1".s || fail "$1: it cannot be assembled"
	compare "odd, $1" "$work/odd" "$objdump"
	sed 's/^function \([^ ]*\) .*/function \1/; /^return/s/ .*//; /^leaves/s/ .*//' "$work/told" |
		paste -sd ' ' | sed 's/ \(function\|refused\) /\n\1 /g' > "$work/short"
	sed -n "/^--- $1\$/,/^---/{/^---/!p}" $here/odd.expected |
		diff - "$work/short" > "$work/compared" || { fail "odd, $1"; cat "$work/compared"; }
}

# The addresses that dynamic() jumps to are put on the stack; those of distances() may be from where
# no instruction says.
objdump=objdump refused=dynamic
if [ "$(uname -m)" = x86_64 ]; then
	for flags in -O0 '-O2 -fcf-protection' '-O3 -fno-plt' '-Os -fomit-frame-pointer'; do
		shapes gcc $flags -shared -fPIC
	done
	strip "$work/shapes"
	accepted 'stripped'
	! command -v ld.lld > /dev/null || shapes gcc -O2 -shared -fPIC -fuse-ld=lld
	refused='dynamic|distances' shapes gcc -O2 -no-pie -fno-pic -Wl,-e,leaf
	odd x86_64 gcc
	! command -v clang > /dev/null || shapes clang -O2 -shared -fPIC
fi
if command -v aarch64-linux-gnu-gcc > /dev/null; then
	objdump=aarch64-linux-gnu-objdump
	refused='dynamic|distances' shapes aarch64-linux-gnu-gcc -O0 -shared -fPIC
	for flags in -O2 '-Os -mbranch-protection=standard'; do shapes aarch64-linux-gnu-gcc $flags -shared -fPIC; done
	odd arm64 aarch64-linux-gnu-gcc
fi
libc=$(ldd /bin/sh | awk '/libc\.so/ { print $3 }')
compare libc "$libc" objdump
awk '/^function/ { n++ } /^refused/ { r++ } END { exit !(n > 1000 && n > 9 * r) }' "$work/told" ||
	{ fail 'much of libc is refused'; tail -8 "$work/compared"; }
[ $failed -eq 0 ]
