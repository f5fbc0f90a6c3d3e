#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# hits.sh - what a hit costs: a TSV of script, kernel, added (guest instructions per probed call, exact: the guest's clock counts them),
# floor (a hand-written module doing the same job in the same boot), limit (what we promise; 6.12: 10 % more).
# profile, profile-stack and profile-ustack are per sample, beyond what a session without samples costs in that time (the
# consumer looks for output every 50 ms, whatever comes); profile-stack of a program in a system call,
# seven or eight frames deep, profile-ustack of the
# program's own code, which is found by rows of its image.
# The guest's processor clears and copies memory as real ones do, unlike that of tests (run.sh): what is interrupted is what it is there.
# Kernels as arguments; else 6.1 6.12.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD vm=runtime/vm/lapwing-vm work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- 6.1 6.12
f='kernel.function("__x64_sys_getppid")'

script() { printf '%s\n' "$2" > "$work/$1.stp"; }
script count "global n probe $f { n++ } probe end { println(n) }"
script stat "global s probe $f { s <<< 1 } probe end { println(@count(s)) }"
script execname-map "global a probe $f { a[execname()]++ } probe end { foreach (e in a) println(e, a[e]) }"
script stopwatch "global h probe $f.return { h <<< gettimeofday_ns() - @entry(gettimeofday_ns()) } probe end { print(@hist_log(h)) }"
# as people wrote it before they had @entry
script stopwatch-map "global t, h probe $f { t[tid()] = gettimeofday_ns() }
probe $f.return { if (tid() in t) h <<< gettimeofday_ns() - t[tid()] } probe end { print(@hist_log(h)) }"
script printf "probe $f { printf(\"%d %s\n\", pid(), execname()) }"
script trace "probe $f { stp(pid(), addr()) }"
script tracepoint 'global n probe kernel.trace("sys_enter") { n++ } probe end { println(n) }'
script profile 'global pc probe timer.profile.freq.hz(1000) { pc[addr()]++ } probe end { foreach (a in pc) n += pc[a]; println(n) }'
script profile-stack 'global s probe timer.profile.freq.hz(1000) { s[backtrace()]++ } probe end { foreach (b in s) n += s[b]; println(n) }'
script profile-ustack 'global s probe timer.profile.freq.hz(1000) { s[ubacktrace()]++ }
probe end { foreach (b in s) n += s[b]; println(n) }'
script idle 'probe timer.s(1000) { println(0) }'
# script, its floor's mode, limit
rows='count count 110
stat stat 130
execname-map map-kprobe 300
stopwatch return 600
stopwatch-map return -
printf record 200
trace record count+108
tracepoint tracepoint 120
profile profile floor+120
profile-stack profile-stack floor+250
profile-ustack profile floor+3900'

# In the guest: one number of ns per line in NAME.ns.
cat > "$work/measure" <<'END'
cd /tmp/bench
# Samples are averaged over thousands: what comes once, as a stack that is seen for the first time, is not what a sample costs.
calls=20000 spin=400000000 zero=200000
base() { ./calls $calls base.ns; ./calls spin $spin spin.ns; ./calls zero $zero zero.ns; }
args() { case $1 in profile|profile-ustack|idle) echo "spin $spin";; profile-stack|idle-zero) echo "zero $zero";; *) echo $calls;; esac; }
base; base
for mode in count count-kprobe stat map-kprobe return record tracepoint profile profile-stack; do
	insmod ./floor.ko mode=$mode || continue
	./calls $(args $mode) floor-$mode.ns
	rmmod floor
done
cp idle.ko idle-zero.ko
for m in count stat execname-map stopwatch stopwatch-map printf trace tracepoint profile profile-stack profile-ustack idle idle-zero; do
	HOME=/tmp lapwing-run -s 8 -c "./calls $(args $m) $m.ns" -o $m.out ./$m.ko 2> $m.err || echo "$m: status $?" >&2
	grep -E 'WARNING|ERROR|PARTIAL' $m.err >&2
done
for m in printf trace; do
	wc -l < $m.out > $m.lines
done
tail -n 1 profile.out > profile.samples
tail -n 1 profile-stack.out > profile-stack.samples
tail -n 1 profile-ustack.out > profile-ustack.samples
for n in *.ns *.lines *.samples; do echo "$n $(tail -n 1 $n)"; done
END

# guest KERNEL: prints the numbers
guest() {
	local release headers dir=$work/$1 m
	release=$("$vm" path "$1" release) && headers=$("$vm" path "$1" headers) || return 1
	mkdir -p "$dir/build" && cp testsuite/bench/floor.c "$dir/build/" && echo 'obj-m := floor.o' > "$dir/build/Makefile"
	make -s -C "$headers" M="$dir/build" ARCH=x86_64 CROSS_COMPILE= KCFLAGS=-g0 modules > "$dir/log" 2>&1 ||
		{ cat "$dir/log" >&2; return 1; }
	cp "$dir/build/floor.ko" "$work/measure" "$dir/" && ${CC:-gcc} -O1 -static -o "$dir/calls" testsuite/bench/calls.c || return 1
	for m in count stat execname-map stopwatch stopwatch-map printf trace tracepoint profile profile-stack profile-ustack idle; do
		(cd "$dir" && "$top/lapwing" -p4 -r "$release" -m bench "$work/$m.stp" > log 2>&1 && mv bench.ko "$m.ko") ||
			{ cat "$dir/log" >&2; return 1; }
	done
	rm -r "$dir/build" "$dir/log"
	"$vm" run --icount --cpu max,la57=off --timeout 86400 --file "$top/lapwing-run-static:/bin/lapwing-run" --file "$dir:/tmp/bench" "$1" -- \
		sh /tmp/bench/measure < /dev/null
}

printf 'script\tkernel\tadded\tfloor\tlimit\n'
for kernel; do
	guest "$kernel" > "$work/numbers" ||
		{ status=$?; cat "$work/numbers" >&2; echo "hits.sh: $kernel: no numbers, status $status" >&2; exit 1; }
	awk -v kernel="$kernel" -v rows="$rows" '
		function whole(x) { return sprintf("%.0f", x) }		# limits are of what is printed
		{ v[$1] = $2 }
		END {
			n = split(rows, row, "\n")
			for (i = 1; i <= n; i++) {
				split(row[i], f, " ")
				if (f[1] ~ /^profile/) {
					base = v[(f[2] == "profile" ? "spin" : "zero") ".ns"]
					added = (v[f[1] ".ns"] - v[(f[2] == "profile" ? "idle" : "idle-zero") ".ns"]) / v[f[1] ".samples"]
					floor = (v["floor-" f[2] ".ns"] - base) / (v["floor-" f[2] ".ns"] / 1e6)
					limit = whole(floor) + substr(f[3], 7)
				} else {
					added = v[f[1] ".ns"] - v["base.ns"]
					floor = v["floor-" f[2] ".ns"] - v["base.ns"]
					limit = f[3]
					if (limit ~ /^count/) limit = whole(v["count.ns"] - v["base.ns"]) + substr(limit, 7)
				}
				printf "%s\t%s\t%.0f\t%.0f\t%s\n", f[1], kernel, added, floor,
					limit == "-" ? limit : sprintf("%.0f", kernel ~ /^6.12/ ? limit * 1.1 : limit)
			}
			for (name in v)
				if (name ~ /[.]lines$/ && v[name] < 20000)
					print "hits.sh: lines lost: " name " has " v[name] " of 20000" > "/dev/stderr"
		}' "$work/numbers"
done
