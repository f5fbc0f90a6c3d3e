#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - target variables of the functions of types.c: each line of expressions becomes what expected says. BLESS=1 records.
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
../unit/variable_driver "$work/kernel" expressions > "$work/got" 2>&1 || { cat "$work/got"; exit 1; }
[ -z "${BLESS-}" ] || cp "$work/got" expected
diff -u expected "$work/got"
