#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-kbuild.sh - every golden generated file, and the runtime, compiled against every kernel's headers, warnings being errors.
# One module a golden is made, so that linking is checked too. Kernels as arguments; else those of testsuite/kernels.
# Results: PASS|FAIL kbuild/KERNEL on stdout and in $LAPWING_TEST_RESULTS.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD vm=runtime/vm/lapwing-vm
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

# has_alone FOLDER: -DHAS_NAME for each has_name.c that compiles by itself as kbuild compiled that module's runtime
has_alone() {
	local command file
	command=$(sed -nE '1s/^[a-z]*cmd_[^ ]* := (.*) -c -o [^ ]*runtime\.o .*/\1/p' "$1/.runtime.o.cmd" | sed -E 's/ -DHAS_[A-Z_]*//g')
	[ -n "$command" ] || { echo "no command in $1/.runtime.o.cmd"; return; }
	for file in "$top"/runtime/kernel/compat/has_*.c; do
		(cd "$headers" && sh -c "$command -fsyntax-only $file" > "$work/said" 2>&1) &&
			basename "$file" .c | sed 's/^/-D/' | tr a-z A-Z
	done
}

# other_btf: a script is built for the kernel, in a cache of its own, by BTF whose task_struct is 8 bytes larger
other_btf() {
	local release entry part
	release=$("$vm" path "$kernel" release)
	entry=$(dirname "$("$vm" path "$kernel" vmlinux-or-btf)")
	rm -rf "$work/cache" && mkdir -p "$work/cache/vm/kernels/$release" && for part in "$entry"/*; do ln -s "$part" "$work/cache/vm/kernels/$release/"; done
	rm "$work/cache/vm/kernels/$release/btf"
	python3 - "$entry/btf" "$work/cache/vm/kernels/$release/btf" << 'END' || return
import struct, sys
data = bytearray(open(sys.argv[1], 'rb').read())
head, types, types_len, strings, strings_len = struct.unpack_from('<IIIII', data, 4)
name = data.index(b'\0task_struct\0', head + strings) + 1 - head - strings
at, end = head + types, head + types + types_len
tails = {1: 4, 3: 12, 14: 4, 17: 4}		# bytes behind a type's own, by its kind; and those for each member
members = {4: 12, 5: 12, 6: 8, 13: 8, 15: 12, 19: 12}
while True:
    its_name, info, size = struct.unpack_from('<III', data, at)
    kind = info >> 24 & 31
    if its_name == name and kind == 4:
        break
    at += 12 + tails.get(kind, 0) + members.get(kind, 0) * (info & 0xffff)
    assert at < end
struct.pack_into('<I', data, at + 8, size + 8)
open(sys.argv[2], 'wb').write(data)
END
	! LAPWING_CACHE=$work/cache ./lapwing -p4 -r "$release" -a "$arch" -e 'probe begin { println(1) }' > "$work/said" 2>&1
}

[ $# -gt 0 ] || set -- $(awk '!/^#/ { print $1 }' testsuite/kernels)
for kernel; do
	began=$SECONDS
	headers=$("$vm" path "$kernel" headers) && arch=$("$vm" path "$kernel" arch) || { failed=1; continue; }
	cross=; [ "$arch" != arm64 ] || [ "$(uname -m)" = aarch64 ] || cross=aarch64-linux-gnu-
	for golden in testsuite/emit/*.c; do
		name=t_$(basename "$golden" .c)
		dir=$work/$kernel/$name
		mkdir -p "$dir" && cp "$golden" "$dir/script.c"
		printf 'LAPWING := %s\nNAME := %s\ninclude $(LAPWING)/runtime/kernel/module.mk\n' "$top" "$name" > "$dir/Makefile"
		echo "$dir"
	done > "$work/dirs"
	xargs -P2 -I{} sh -c "make -s -C '$headers' M={} ARCH=$arch CROSS_COMPILE=$cross modules > {}/log 2>&1 && ! grep -q 'warning: objtool' {}/log || { echo {}; grep -E 'error|warning|ERROR' {}/log | head -5; }" < "$work/dirs" > "$work/bad"
	if [ -s "$work/bad" ]; then
		cat "$work/bad"; result=FAIL failed=1
	else
		result=PASS
	fi
	# What has.sh finds in one compilation is what each file finds alone.
	has_alone "$dir" > "$work/alone"
	grep -oE -- '-DHAS_[A-Z_]*' "$dir/.runtime.o.cmd" | sort -u | diff <(sort "$work/alone") - && [ -s "$work/alone" ] || result=FAIL failed=1
	# Headers whose structures are not the kernel's are refused: its BTF has a task of another size.
	other_btf && grep -q 'these headers are of another build' "$work/said" || { cat "$work/said"; result=FAIL failed=1; }
	# The scripts themselves, without kbuild: it must not be needed, nor for the runtime of those with embedded C or other imports.
	release=$("$vm" path "$kernel" release)
	for script in testsuite/emit/*.stp testsuite/run-user/embedded.stp testsuite/run-kernel/data.stp; do
		./lapwing -v -p4 -g -r "$release" -a "$arch" "$script" 2>&1 > "$work/module" | grep 'kbuild builds' && { echo "$script"; result=FAIL failed=1; }
		[ -s "$(cat "$work/module")" ] || { echo "$script does not build"; result=FAIL failed=1; }
	done
	echo "$result kbuild/$kernel" | tee -a "${LAPWING_TEST_RESULTS:-/dev/null}"
	echo "kbuild/$kernel $((SECONDS - began))" >> "${LAPWING_TEST_SECONDS:-/dev/null}"
done
exit $failed
