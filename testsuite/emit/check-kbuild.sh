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
	xargs -P2 -I{} sh -c "make -s -C '$headers' M={} ARCH=$arch CROSS_COMPILE=$cross modules > {}/log 2>&1 || { echo {}; grep -E 'error|warning|ERROR' {}/log | head -5; }" < "$work/dirs" > "$work/bad"
	if [ -s "$work/bad" ]; then
		cat "$work/bad"; result=FAIL failed=1
	else
		result=PASS
	fi
	# What has.sh finds in one compilation is what each file finds alone.
	has_alone "$dir" > "$work/alone"
	grep -oE -- '-DHAS_[A-Z_]*' "$dir/.runtime.o.cmd" | sort -u | diff <(sort "$work/alone") - && [ -s "$work/alone" ] || result=FAIL failed=1
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
