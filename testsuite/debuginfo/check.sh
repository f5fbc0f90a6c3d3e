#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - target variables of the functions of types.c, by BTF, and of inside.c, by DWARF too; and the places that DWARF knows. Each
# line of expressions, inside, places, calls and pieces becomes what the file beside it says. BLESS=1 records.
cd "$(dirname "$0")" || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cc=${CC:-gcc}
if ! $cc -gbtf -O1 -c types.c -o "$work/types.o" 2> "$work/err"; then
	echo "$cc makes no BTF"
	exit 77
fi
objcopy -O binary --only-section=.BTF --set-section-flags .BTF=alloc "$work/types.o" "$work/types.btf" || exit 1
printf 'function simple\nbtf types.btf\n' > "$work/kernel"

# Unoptimized code, so that where things are is the compiler's habit and not its art.
$cc -gbtf -O0 -c inside.c -o "$work/inside-btf.o" || exit 1
$cc -g -gdwarf-5 -O0 -fno-pie -fno-asynchronous-unwind-tables -c inside.c -o "$work/inside.ko" || exit 1
objcopy -O binary --only-section=.BTF --set-section-flags .BTF=alloc "$work/inside-btf.o" "$work/inside.btf" || exit 1
printf 'function inside\nbtf inside.btf\ndwarf inside.ko\n' > "$work/kernel.inside"

# Calls are described in optimized code only.
$cc -g -gdwarf-5 -O2 -fno-pie -fno-asynchronous-unwind-tables -c calls.c -o "$work/calls.ko" || exit 1
printf 'function outer\nfunction both\nbtf inside.btf\ndwarf calls.ko\n' > "$work/kernel.calls"

$cc -g -gdwarf-5 -O2 -fno-pie -fno-asynchronous-unwind-tables -c pieces.c -o "$work/pieces.ko" || exit 1
printf 'function split\nfunction floating\nbtf inside.btf\ndwarf pieces.ko\n' > "$work/kernel.pieces"

# A kernel whose list hides one variable and has two of another's name, and two functions of a name: functions before them stand for them.
ld -static -e inside -Ttext=0x1000 -Tdata=0x2000 -o "$work/linked" "$work/inside.ko" "$work/calls.ko" || exit 1
printf '%s\n' 'function inside' 'function leaf' 'function middle' 'function middle' 'lists inside' 'lists first' 'lists first' \
	'btf inside.btf' 'dwarf linked' > "$work/kernel.linked"

# Debuginfo of the kernel's own build, and of another.
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
[ "$(uname -m)" = x86_64 ] || exit $failed
judge inside.expected ../unit/variable_driver "$work/kernel.inside" inside
judge places.expected ../unit/family_driver "$work/kernel.inside" places
judge pieces.expected ../unit/variable_driver "$work/kernel.pieces" pieces
judge calls.expected ../unit/family_driver "$work/kernel.calls" calls
behind() {	# behind SYMBOL: how far it is behind leaf
	echo $((0x$(nm "$work/linked" | sed -n "s/ . $1\$//p") - 0x$(nm "$work/linked" | sed -n 's/ . leaf$//p')))
}
../unit/variable_driver "$work/kernel.linked" linked > "$work/got"
for name in counter first; do
	grep -q "symbol 0: leaf+$(behind $name)\$" "$work/got" || { echo "$name is not leaf+$(behind $name)"; cat "$work/got"; failed=1; }
done
echo 'kernel.function("middle@calls.c")' > "$work/point"
../unit/family_driver "$work/kernel.linked" "$work/point" > "$work/got"
grep -qF "\"leaf\", .offset = $(behind middle) }" "$work/got" || { echo "no function before one of two"; cat "$work/got"; failed=1; }
echo 'kernel.function("outer").callee("leaf")' > "$work/point"
says() { ../unit/family_driver "$work/$1" "$work/point" | grep -qe "$2" || { echo "$1: not '$2'"; failed=1; }; }
says kernel.built 'leaf@calls.c:12'
says kernel.other 'is of another build (its build id is 0102030405060708, the kernel.s 0102030405060709)'
exit $failed
