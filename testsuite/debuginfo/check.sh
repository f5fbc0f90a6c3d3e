#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - resolves target variables of the functions of types.c, by BTF, and of inside.c and
# pieces.c, also by DWARF; and probe points that need DWARF. The results for the lines of
# expressions, inside, places, calls and pieces must equal the .expected files. BLESS=1 rewrites
# them.
cd "$(dirname "$0")" || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cc=${CC:-gcc}
if ! $cc -gbtf -O1 -c types.c -o "$work/types.o" 2> "$work/err"; then
	echo "$cc makes no BTF"
	exit 77
fi
objcopy -O binary --only-section=.BTF --set-section-flags .BTF=alloc "$work/types.o" \
	"$work/types.btf" || exit 1
printf 'function simple\nbtf types.btf\n' > "$work/kernel"

# BTF as older pahole writes it, where char is not marked as signed.
char='\x00\x00\x00\x01\x01\x00\x00\x00\x08\x00\x00'
LC_ALL=C sed "s/$char\\x03/$char\\x00/g" "$work/types.btf" > "$work/old.btf"
cmp -s "$work/types.btf" "$work/old.btf" && { echo "no signed character in the BTF"; exit 1; }
printf 'function simple\nbtf old.btf\n' > "$work/kernel.old"

# Code without optimization, so that locations do not depend on the optimizer.
$cc -gbtf -O0 -c inside.c -o "$work/inside-btf.o" || exit 1
$cc -g -gdwarf-5 -O0 -fno-pie -fno-asynchronous-unwind-tables -c inside.c -o "$work/inside.ko" ||
	exit 1
objcopy -O binary --only-section=.BTF --set-section-flags .BTF=alloc "$work/inside-btf.o" \
	"$work/inside.btf" || exit 1
printf 'function inside\nbtf inside.btf\ndwarf inside.ko\n' > "$work/kernel.inside"

# Only optimized code has call sites in its DWARF.
$cc -g -gdwarf-5 -O2 -fno-pie -fno-asynchronous-unwind-tables -c calls.c -o "$work/calls.ko" ||
	exit 1
printf 'function outer\nfunction both\nbtf inside.btf\ndwarf calls.ko\n' > "$work/kernel.calls"

$cc -g -gdwarf-5 -O2 -fno-pie -fno-asynchronous-unwind-tables -c pieces.c -o "$work/pieces.ko" ||
	exit 1
printf 'function split\nfunction floating\nbtf inside.btf\ndwarf pieces.ko\n' > \
	"$work/kernel.pieces"

# A kernel whose symbol list lacks one variable, and has two symbols for the name of another
# variable and two for the name of a function: all these are addressed relative to other functions.
ld -static -e inside -Ttext=0x1000 -Tdata=0x2000 -o "$work/linked" "$work/inside.ko" \
	"$work/calls.ko" || exit 1
printf '%s\n' 'function inside' 'function leaf' 'function middle' 'function middle' 'lists inside' \
	'lists first' 'lists first' \
	'btf inside.btf' 'dwarf linked' > "$work/kernel.linked"

# Debuginfo of the kernel's own build, and of another build.
ld -r --build-id=0x0102030405060708 -o "$work/built.ko" "$work/calls.ko" || exit 1
echo 040000000800000003000000474e55000102030405060708 > "$work/notes"
echo 040000000800000003000000474e55000102030405060709 > "$work/other"
printf 'function outer\nbtf inside.btf\ndwarf built.ko\nnotes notes\n' > "$work/kernel.built"
printf 'function outer\nbtf inside.btf\ndwarf built.ko\nnotes other\n' > "$work/kernel.other"

failed=0
judge() {	# judge EXPECTED COMMAND...
	expected=$1
	shift
	"$@" > "$work/got" 2>&1 || { cat "$work/got"; exit 1; }
	[ -z "${BLESS-}" ] || cp "$work/got" "$expected"
	diff -u "$expected" "$work/got" || failed=1
}
judge expected ../unit/variable_driver "$work/kernel" expressions
judge expected ../unit/variable_driver "$work/kernel.old" expressions

# A static function without BTF, in a kernel whose BTF has another static function, and in two whose
# BTF has none. The last has a `nothing' that is global in one file and static in another: the one
# in BTF may be the global one.
echo 'arm64 hidden $x' > "$work/hidden"
why() {	# why EXPECTED LINE...: checks the reason given for `hidden' in a kernel of these lines
	expected=$1
	shift
	printf '%s\n' "$@" 'function hidden static' 'btf types.btf' > "$work/kernel.static"
	../unit/variable_driver "$work/kernel.static" "$work/hidden" > "$work/got"
	grep -qF "no: $expected" "$work/got" ||
		{ echo "not '$expected'"; cat "$work/got"; failed=1; }
}
why "the kernel's BTF does not know 'hidden'" 'function simple' 'function nothing static'
why "this kernel's BTF has no function that is static to its file, as 'hidden' is" 'function simple'
why "this kernel's BTF has no function that is static to its file, as 'hidden' is" \
	'function simple' \
	'function nothing static at=ffff100' 'function nothing at=ffff200'
[ "$(uname -m)" = x86_64 ] || exit $failed
judge inside.expected ../unit/variable_driver "$work/kernel.inside" inside
judge places.expected ../unit/family_driver "$work/kernel.inside" places
judge pieces.expected ../unit/variable_driver "$work/kernel.pieces" pieces
judge calls.expected ../unit/family_driver "$work/kernel.calls" calls
behind() {	# behind SYMBOL: prints its offset from leaf
	echo $((0x$(nm "$work/linked" | sed -n "s/ . $1\$//p") - 0x$(nm "$work/linked" |
		sed -n 's/ . leaf$//p')))
}
../unit/variable_driver "$work/kernel.linked" linked > "$work/got"
for name in counter first; do
	grep -q "symbol 0: leaf+$(behind $name)\$" "$work/got" ||
		{ echo "$name is not leaf+$(behind $name)"; cat "$work/got"; failed=1; }
done
echo 'kernel.function("middle@calls.c")' > "$work/point"
../unit/family_driver "$work/kernel.linked" "$work/point" > "$work/got"
grep -qF "\"leaf\", .offset = $(behind middle) }" "$work/got" ||
	{ echo "middle is not addressed relative to leaf"; cat "$work/got"; failed=1; }
echo 'kernel.function("outer").callee("leaf")' > "$work/point"
says() { ../unit/family_driver "$work/$1" "$work/point" | grep -qe "$2" ||
	{ echo "$1: not '$2'"; failed=1; }; }
says kernel.built 'leaf@calls.c:12'
says kernel.other \
	'is of another build (its build id is 0102030405060708, the kernel.s 0102030405060709)'
exit $failed
