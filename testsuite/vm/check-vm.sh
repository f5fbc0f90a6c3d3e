#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-vm.sh - tests of runtime/vm/lapwing-vm itself: what a caller relies on, on each kernel.
#
# Input: the built tree, QEMU, the package archive (or a filled cache). Output: PASS/FAIL/SKIP lines on stdout and in
# $LAPWING_TEST_RESULTS. Exit status 77: no QEMU, nothing was tested. It does not test scripts or probes.
# Usage: check-vm.sh [-c KVER]... [CASE]...
set -u
cd "$(dirname "$0")/../.." || exit 1
top=$PWD
vm=$top/runtime/vm/lapwing-vm
kvers=()
while [ "${1:-}" = -c ]; do
	kvers+=("$2")
	shift 2
done
[ ${#kvers[@]} -gt 0 ] || kvers=(6.1 6.12 6.1-arm64)
cases=("$@")
[ ${#cases[@]} -gt 0 ] || cases=(status delays streams argv elf module output timeout sigint sigkill panic batch symbols modules)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0

result()
{
	printf '%s\n' "$*" | tee -a "${LAPWING_TEST_RESULTS:-/dev/null}"
}

# equal WHAT GOT EXPECTED
equal()
{
	[ "$2" = "$3" ] || { printf '%s is <%s>, expected <%s>\n' "$1" "$2" "$3"; return 1; }
}

case_status()
{
	"$vm" run "$1" -- sh -c 'exit 7' || equal status $? 7 || return
	"$vm" run "$1" -- sh -c 'kill -KILL $$' || equal "status of a killed command" $? 137 || return
	"$vm" run "$1" -- /no/such/program 2>err || equal "status of no program" $? 127 || return
	grep -q '/no/such/program: No such file' err
}

# A delay is as long on each processor
case_delays()
{
	equal "lengths of a loop" "$("$vm" run "$1" -- sh -c 'grep -i ^bogomips /proc/cpuinfo | sort | uniq -c | grep -c " 2 "')" 1
}

case_streams()
{
	head -c 300000 /dev/urandom >first && head -c 100000 /dev/urandom >second || return
	"$vm" run --file first:/data/first --file "$PWD/second" \
		--fd3 "$PWD/third" "$1" -- sh -c 'cat "$1" >&2 & tac /data/first >&3 & cat /data/first; wait' sh "$PWD/second" >out 2>err || return
	cmp first out && cmp second err && tac first | cmp - third
}

case_argv()
{
	"$vm" run "$1" -- printf '<%s>' 'a b' '' "it's" '"q"' '$HOME *' $'two\nlines' '\n' -- --file >out || return
	equal argv "$(cat out)" "<a b><><it's><\"q\"><\$HOME *><two
lines><\\n><--><--file>"
}

# On a foreign architecture a program of our own, with the cross compiler's libraries
case_elf()
{
	if [ "$("$vm" path "$1" arch)" = x86_64 ]; then
		echo hello | xz >hello.xz
		"$vm" run --elf "$(command -v xz)" --file hello.xz:/hello.xz "$1" -- "$(command -v xz)" -dc /hello.xz >out
	else
		printf '#include <math.h>\n#include <stdio.h>\nint main(int c, char **v)\n%s\n' \
			'{ return puts(cos(c - 1.0) > 0.5 ? "hello" : "bad") < 0; }' >hello.c
		aarch64-linux-gnu-gcc -o hello hello.c -lm && "$vm" run --elf hello:/bin/hello "$1" -- hello >out
	fi
	equal status $? 0 && equal output "$(cat out)" hello
}

case_module()
{
	printf '%s\n' '#include <linux/module.h>' 'static int __init hello(void)' \
		'{ pr_info("hello from a module\n"); return 0; }' 'module_init(hello); MODULE_LICENSE("GPL");' >hello.c
	echo 'obj-m := hello.o' >Kbuild
	make -s -C "$("$vm" path "$1" headers)" M="$PWD" ARCH="$("$vm" path "$1" arch)" modules >make.log 2>&1 ||
		{ cat make.log; return 1; }
	"$vm" run --kernel-log klog --file hello.ko:/hello.ko "$1" -- insmod /hello.ko &&
		grep -q '^\[.*\] hello from a module$' klog && grep -q 'Linux version' klog
}

# A QEMU of ours is known by a word on its kernel command line
gone()
{
	local tries=600

	while pgrep -f "[l]apwing.test=$1" >/dev/null; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || { echo "a QEMU is left"; return 1; }
		sleep 0.1
	done
}

# The limit is of the boot, too, and how long that takes is the machine's matter: a limit at which nothing has begun says nothing.
# lapwing's -o, of text and of a capture: the guest's output goes to that file of the host's
case_output()
{
	local script='probe begin { println("text") stp(what: "record", 5) exit() }'
	"$top/lapwing" --target="vm:$1" -o out -e "$script" < /dev/null 2>err || return
	equal output "$(cat out)" "text
record	5" || return
	"$top/lapwing" --target="vm:$1" -o out.cap -e "$script" < /dev/null 2>err || return
	"$top/lapwing" report out.cap --csv > rows || return
	equal capture "$(cut -d, -f 5- rows)" 'probe,what,column2
begin,record,5'
}

case_timeout()
{
	local limit status

	for limit in 10 30 90 270; do
		"$vm" run --timeout $limit --append "lapwing.test=$$-time" "$1" -- sh -c 'echo begun; sleep 1000' >out 2>err
		status=$?
		! grep -q begun out || break
	done
	equal status $status 124 && equal output "$(cat out)" begun && grep -q 'still ran after [0-9]* s' err && gone "$$-time"
}

# start_waiting NAME KVER COMMAND: in the background, until it has written `ready`
start_waiting()
{
	"$vm" run --timeout 600 --kernel-log klog --append "lapwing.test=$$-$1" "$2" -- sh -c "$3" >out 2>err &
	pid=$!
	while ! grep -q ready out; do
		kill -0 $pid 2>/dev/null || { cat err; return 1; }
		sleep 0.1
	done
}

case_sigint()
{
	start_waiting int "$1" 'trap "echo caught; exit 5" INT; echo ready; while :; do sleep 1; done' || return
	kill -INT $pid
	wait $pid
	equal status $? 5 && equal output "$(cat out)" "ready
caught" && gone "$$-int"
}

case_sigkill()
{
	start_waiting kill "$1" 'echo ready; sleep 1000' || return
	pgrep -f "[l]apwing.test=$$-kill" >pids || { echo "its QEMU is not found"; return 1; }
	kill -KILL $pid
	wait $pid 2>/dev/null
	gone "$$-kill"
}

# What has arrived is kept; it has arrived before the signal is sent, as a dying guest takes along what is under way in it
case_panic()
{
	start_waiting panic "$1" 'trap "echo c > /proc/sysrq-trigger" INT; echo ready; while :; do sleep 1; done' || return
	kill -INT $pid
	wait $pid
	equal status $? 125 && equal output "$(cat out)" ready &&
		grep -q '^lapwing-vm: the guest died: Kernel panic.*sysrq' err && grep -q 'Call Trace\|Call trace' err &&
		grep -q 'Kernel panic' klog && grep -q 'Linux version' klog
}

# add_test NAME COMMAND
add_test()
{
	mkdir -p "batch/$1" && printf '#!/bin/sh\n%s\n' "$2" >"batch/$1/run" && chmod +x "batch/$1/run"
	echo "data of $1" >"batch/$1/data"
}

# The limit ends one test that never would; at a limit that ends others, too, the machine was slow.
run_batch()
{
	local limit

	for limit in 5 20 80 320; do
		rm -f batch/*/{out,err,status,klog,busy}
		"$vm" run --test-timeout $limit --batch batch "$1" >out 2>err || { cat err; return 1; }
		[ "$(cat batch/*/status | grep -cx 124)" -gt 1 ] || break
	done
}

case_batch()
{
	add_test 001-pass 'cat data; echo "<4>mark one" > /dev/kmsg'
	add_test 002-fail 'ls; echo wrong >&2; echo "<4>mark two" > /dev/kmsg; exit 3'
	add_test 003-slow 'cat /proc/sys/kernel/random/boot_id; sleep 1000'
	add_test 004-next 'cat /proc/sys/kernel/random/boot_id'
	add_test 005-dies 'echo c > /proc/sysrq-trigger; sleep 100'
	add_test 006-after 'echo again; pwd'
	run_batch "$1" || return
	equal statuses "$(cat batch/*/status | tr '\n' ' ')" "0 3 124 0 125 0 " &&
		equal "progress" "$(cut -d' ' -f1,2 out | tr '\n' ' ')" \
			"001-pass 0 002-fail 3 003-slow 124 004-next 0 005-dies 125 006-after 0 " &&
		equal "output 1" "$(cat batch/001-pass/out)" "data of 001-pass" &&
		equal "output 2" "$(cat batch/002-fail/out | tr '\n' ' ')" "data run " &&
		equal "stderr 2" "$(cat batch/002-fail/err)" wrong &&
		equal "boots" "$(cat batch/003-slow/out batch/004-next/out | sort -u | wc -l)" 2 &&
		equal "output 6" "$(cat batch/006-after/out | tr '\n' ' ')" "again /batch/006-after " &&
		equal "marks" "$(grep -ho 'mark .*' batch/001-pass/klog batch/002-fail/klog | tr '\n' ' ')" "mark one mark two " &&
		equal "rows of seconds, the last with the whole log" "$(awk 'NF == 3 && $2 > 0 { rows++; size = $3 } END { print (rows > 1), size }' \
			batch/001-pass/busy)" "1 $(stat -c %s batch/001-pass/klog)" &&
		! grep -q one batch/002-fail/klog && grep -q 'Kernel panic' batch/005-dies/klog
}

case_symbols()
{
	local dir

	dir=$("$vm" path "$1" symbols) || return
	grep -qE '^[0-9a-f]*[1-9a-f][0-9a-f]* [tT] vfs_read$' "$dir/kallsyms" || { echo "no vfs_read"; return 1; }
	grep -qx vfs_read "$dir/available_filter_functions" || { echo "vfs_read cannot be traced"; return 1; }
	! grep -q __ftrace_invalid_address__ "$dir/available_filter_functions" &&
		equal "BTF magic" "$(od -An -tx1 -N3 "$("$vm" path "$1" vmlinux-or-btf)")" " 9f eb 01"
}

case_modules()
{
	local dir name file

	dir=$("$vm" path "$1" modules) && dir=$dir/lib/modules/$("$vm" path "$1" release) || return
	name=$(sed -n 's/:$//p' "$dir/modules.dep" | grep '/virtio_console.ko$\|/loop.ko$' | head -n 1)
	file=$dir/$name
	[ -n "$name" ] && readelf -S "$file" | grep -qF .BTF || { echo "no module with BTF: '$file'"; return 1; }
}

run_case()
{
	local began=$SECONDS

	mkdir -p "$work/$1/$2" && cd "$work/$1/$2" || return
	if "case_$2" "$1" >log 2>&1; then
		result PASS "vm/$1/$2"
	else
		result FAIL "vm/$1/$2"
		failures=$((failures + 1))
		tail -n 20 log out err 2>/dev/null
	fi
	cd "$top" || exit 1
	echo "vm/$1/$2 $((SECONDS - began))" >>"${LAPWING_TEST_SECONDS:-/dev/null}"
}

for kver in "${kvers[@]}"; do
	qemu=qemu-system-x86_64
	[[ $kver != *-arm64 ]] || qemu=qemu-system-aarch64
	if ! command -v $qemu >/dev/null; then
		result SKIP "vm/$kver" "no $qemu"
		continue
	fi
	"$vm" fetch "$kver" >/dev/null || { result FAIL "vm/$kver/fetch"; exit 1; }
	for name in "${cases[@]}"; do
		run_case "$kver" "$name"
	done
	tested=1
done
[ -n "${tested:-}" ] || exit 77
[ $failures -eq 0 ]
