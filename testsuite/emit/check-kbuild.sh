#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-kbuild.sh - compiles every golden generated file, and the runtime, against every kernel's
# headers, with warnings as errors. One module per golden file, so that linking is checked too.
# Arguments: kernels (default: all supported ones); several names of one kernel are checked once.
# Results: PASS|FAIL check-kbuild/KERNEL on stdout and in $LAPWING_TEST_RESULTS.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD vm=runtime/vm/lapwing-vm
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0
unwind_bytes() { readelf -SW "$1" | awk \
	'$3 == ".orc_unwind" || $2 == ".orc_unwind" { print $(NF - 5) }'; }
[ $# -gt 0 ] || set -- 5.10 6.1 6.12 6.12-trixie 7.2 7.3 5.10-arm64 6.1-arm64 6.12-arm64 \
	newest-arm64
declare -A done_as
for kernel; do
	headers=$("$vm" path "$kernel" headers) && arch=$("$vm" path "$kernel" arch) ||
		{ failed=1; continue; }
	[ -z "${done_as[$headers]:-}" ] || { echo "$kernel is ${done_as[$headers]}"; continue; }
	done_as[$headers]=$kernel
	cross=; [ "$arch" != arm64 ] || [ "$(uname -m)" = aarch64 ] || cross=aarch64-linux-gnu-
	for golden in testsuite/emit/*.c; do
		name=t_$(basename "$golden" .c)
		dir=$work/$kernel/$name
		mkdir -p "$dir" && cp "$golden" "$dir/script.c"
		printf 'LAPWING := %s\nNAME := %s\ninclude $(LAPWING)/runtime/kernel/module.mk\n' \
			"$top" "$name" > "$dir/Makefile"
		echo "$dir"
	done | xargs -P2 -I{} sh -c "
		make -s -C '$headers' M={} ARCH=$arch CROSS_COMPILE=$cross modules > {}/log 2>&1 ||
			{ echo {}; grep -E 'error|warning|ERROR' {}/log | head -5; }" > "$work/bad"
	if [ -s "$work/bad" ]; then
		cat "$work/bad"; result=FAIL failed=1
	else
		result=PASS
	fi
	# In a kernel built for IBT, functions called through pointers must begin with endbr64.
	# Guests cannot test this, because the emulator has no IBT.
	if grep -qx 'CONFIG_X86_KERNEL_IBT=y' "$headers/.config" &&
		! testsuite/emit/endbr.py "$work/$kernel"/*/t_*.ko > "$work/endbr"; then
		cat "$work/endbr"; result=FAIL failed=1
	fi
	# Building the scripts themselves must not need kbuild.
	release=$("$vm" path "$kernel" release)
	for script in testsuite/emit/*.stp; do
		./lapwing -v -p4 -r "$release" -a "$arch" "$script" 2>&1 > "$work/module" |
			grep 'kbuild builds' && { echo "$script"; result=FAIL failed=1; }
		module=$(cat "$work/module") name=t_$(basename "$script" .stp)
		[ -s "$module" ] || { echo "$script does not build"; result=FAIL failed=1; continue
		}
		[ "$(unwind_bytes "$module")" = "$(unwind_bytes "$work/$kernel/$name/$name.ko")" \
			] ||
			{ echo "$script has other unwind tables than from kbuild"
			result=FAIL failed=1; }
	done
	echo "$result check-kbuild/$kernel" | tee -a "${LAPWING_TEST_RESULTS:-/dev/null}"
done
exit $failed
