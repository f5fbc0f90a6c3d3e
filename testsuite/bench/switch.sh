#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# switch.sh - what counters per thread cost a context switch: a TSV of threads, kernel, added (guest instructions per switch over an empty
# hook at sched_switch, exact: the guest's clock counts them), limit (what we promise). The script counts two events; nobody: it has been
# asked about no thread; others: about some, not those that switch; tracked: about those. Kernels as arguments; else 6.1-arm64 6.12-arm64.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD vm=runtime/vm/lapwing-vm work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- 6.1-arm64 6.12-arm64
cat > "$work/asks.stp" <<'END'
global n
probe kernel.function("__arm64_sys_getppid").startwatch("cycles").startwatch("instructions:u") { n += $pmu[0] + $pmu[1] }
probe end { println(n > 0) }
END
cat > "$work/measure" <<'END'
cd /tmp/bench
./switches base; ./switches base
insmod ./floor_switch.ko && ./switches floor
rmmod floor_switch
for m in nobody others tracked; do
	lapwing-run -c "./switches $m ${m#nobody}" -o out ./asks.ko > log 2>&1 || cat log >&2
done
for n in base floor nobody others tracked; do echo "$n $(cat $n)"; done
END

# guest KERNEL: prints the numbers
guest() {
	local release dir=$work/$1
	release=$("$vm" fetch "$1") && mkdir -p "$dir/build" && cp testsuite/bench/floor_switch.c "$dir/build/" || return 1
	echo 'obj-m := floor_switch.o' > "$dir/build/Makefile"
	make -s -C "$("$vm" path "$1" headers)" M="$dir/build" ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- KCFLAGS=-g0 modules > "$dir/log" 2>&1 &&
		(cd "$dir" && "$top/lapwing" -p4 -r "$release" -a arm64 -m asks "$work/asks.stp" >> log 2>&1) &&
		aarch64-linux-gnu-gcc -O1 -static -o "$dir/switches" testsuite/bench/switches.c || { cat "$dir/log" >&2; return 1; }
	cp "$dir/build/floor_switch.ko" "$work/measure" "$dir/" && rm -r "$dir/build" "$dir/log"
	"$vm" run --icount --timeout 86400 --file "$top/lapwing-run-static-arm64:/bin/lapwing-run" --file "$dir:/tmp/bench" "$1" -- \
		sh /tmp/bench/measure < /dev/null
}

printf 'threads\tkernel\tadded\tlimit\n'
for kernel; do
	guest "$kernel" > "$work/numbers" ||
		{ status=$?; cat "$work/numbers" >&2; echo "switch.sh: $kernel: no numbers, status $status" >&2; exit 1; }
	awk -v kernel="$kernel" '
		BEGIN { limit["nobody"] = 10; limit["others"] = 60; limit["tracked"] = 300 }
		{ ns[$1] = $2 }
		$1 in limit { printf "%s\t%s\t%.0f\t%d\n", $1, kernel, $2 - ns["floor"], limit[$1] }' "$work/numbers"
done
